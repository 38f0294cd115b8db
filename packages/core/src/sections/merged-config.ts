import type { DirectoryConfig } from '@gatewright/api'
import type { CoreDirectoryConfig } from '../core-module/directory-config.ts'
import type { ModuleRegistry } from '../modules/registry.ts'
import type { Section } from './section.ts'
import { type Mergeable, merge, SectionChain } from './section-chain.ts'

/** A configuration that says something about everything core asks. */
type Complete = Mergeable & { readonly core: CoreDirectoryConfig }

/**
 * The per-directory configuration that applies to a request: the server's defaults with the sections of one walk after the other merged over them. It is made when it is
 * met first and looked up after that, so equal sequences are the same object, which is how core knows that a sub-request need not be authorized again.
 */
export class MergedConfig implements DirectoryConfig {
  readonly slots: readonly unknown[]
  readonly core: CoreDirectoryConfig
  readonly sections: readonly Section[]
  /** The chain of no section, where every walk of this generation begins. */
  readonly noSections: SectionChain
  private readonly registry: ModuleRegistry
  private lastOver: Mergeable | null = null
  private lastResult: MergedConfig | null = null
  private results: WeakMap<Mergeable, MergedConfig> | null = null

  constructor(registry: ModuleRegistry, { slots, core, sections }: Complete, noSections?: SectionChain) {
    this.registry = registry
    this.slots = slots
    this.core = core
    this.sections = sections
    this.noSections = noSections ?? new SectionChain(registry, { slots: [], core: null, sections: [] })
  }

  /** This configuration with a section, or the chain that a walk found, merged over it. */
  with(over: Mergeable): MergedConfig {
    if (over === this.noSections) return this
    if (over === this.lastOver && this.lastResult !== null) return this.lastResult
    let result = this.results?.get(over)
    if (result === undefined) {
      const merged = merge(this.registry, this, over)
      result = new MergedConfig(this.registry, { ...merged, core: merged.core ?? this.core }, this.noSections)
      this.results ??= new WeakMap()
      this.results.set(over, result)
    }
    this.lastOver = over
    this.lastResult = result
    return result
  }
}
