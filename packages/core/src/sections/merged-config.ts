import type { DirectoryConfig, MergeStep } from '@gatewright/api'
import { type CoreDirectoryConfig, mergeCoreDirectory } from '../core-module/directory-config.ts'
import { CORE_INDEX, type ModuleRegistry } from '../modules/registry.ts'
import type { Section } from './section.ts'

/**
 * The per-directory configuration that applies to a request: the server's defaults with a chain of sections merged over them. A chain is
 * merged once, when it is met first; after that it is looked up, so equal chains are the same object, which is how core knows that a
 * sub-request need not be authorized again.
 */
export class MergedConfig implements DirectoryConfig {
  readonly slots: readonly unknown[]
  readonly core: CoreDirectoryConfig
  /** Number of sections merged so far. */
  readonly position: number
  private readonly registry: ModuleRegistry
  private lastSection: Section | null = null
  private lastResult: MergedConfig | null = null
  /** Weak, because the sections of .htaccess files come and go with their files. */
  private results: WeakMap<Section, MergedConfig> | null = null

  constructor(registry: ModuleRegistry, slots: readonly unknown[], core: CoreDirectoryConfig, position: number) {
    this.registry = registry
    this.slots = slots
    this.core = core
    this.position = position
  }

  /** This configuration with a section merged over it. */
  with(section: Section): MergedConfig {
    if (section === this.lastSection && this.lastResult !== null) return this.lastResult
    let result = this.results?.get(section)
    if (result === undefined) {
      result = this.merge(section)
      this.results ??= new WeakMap()
      this.results.set(section, result)
    }
    this.lastSection = section
    this.lastResult = result
    return result
  }

  private merge(section: Section): MergedConfig {
    const step: MergeStep = { position: this.position + 1, section }
    const core = section.core === null ? this.core : mergeCoreDirectory(this.core, section.core)
    const slots = this.registry.modules.map(({ module, index }) => {
      if (index === CORE_INDEX) return core
      const base = this.slots[index]
      const over = section.slots[index]
      if (over === undefined) return base
      if (base === undefined || module.perDirectory?.merge === undefined) return over
      // The registry's contract: a module's objects only ever meet its own functions.
      return module.perDirectory.merge(base as never, over as never, step)
    })
    return new MergedConfig(this.registry, slots, core, step.position)
  }
}
