import { type CoreDirectoryConfig, mergeCoreDirectory } from '../core-module/directory-config.ts'
import { CORE_INDEX, type ModuleRegistry } from '../modules/registry.ts'
import type { Section } from './section.ts'

/** Something that can be merged over a configuration: undefined slots leave what is there. */
export interface Mergeable {
  readonly slots: readonly unknown[]
  readonly core: CoreDirectoryConfig | null
  /** What it was merged from, in that order. */
  readonly sections: readonly Section[]
}

/**
 * Sections that one walk found, merged in order. httpd merges the sections of a walk with each other first and the result over what was there before; with AuthMerging
 * that makes a difference, so the same is done here. Chains are made once and looked up after that: equal sequences are the same object.
 */
export class SectionChain implements Mergeable {
  readonly slots: readonly unknown[]
  readonly core: CoreDirectoryConfig | null
  readonly sections: readonly Section[]
  private readonly registry: ModuleRegistry
  private lastSection: Section | null = null
  private lastResult: SectionChain | null = null
  /** Weak, because the sections of .htaccess files come and go with their files. */
  private results: WeakMap<Section, SectionChain> | null = null

  constructor(registry: ModuleRegistry, { slots, core, sections }: Mergeable) {
    this.registry = registry
    this.slots = slots
    this.core = core
    this.sections = sections
  }

  /** This chain with one more section behind it. */
  with(section: Section): SectionChain {
    if (section === this.lastSection && this.lastResult !== null) return this.lastResult
    let result = this.results?.get(section)
    if (result === undefined) {
      result = new SectionChain(this.registry, merge(this.registry, this, section))
      this.results ??= new WeakMap()
      this.results.set(section, result)
    }
    this.lastSection = section
    this.lastResult = result
    return result
  }
}

/** Merges slot by slot: what only one side has is shared, what both have is merged by its module, and replaced where the module has no way to merge. */
export function merge(registry: ModuleRegistry, base: Mergeable, over: Mergeable): Mergeable {
  const core = over.core === null ? base.core : base.core === null ? over.core : mergeCoreDirectory(base.core, over.core)
  const slots = registry.modules.map(({ module, index }) => {
    if (index === CORE_INDEX) return core ?? undefined
    const below = base.slots[index]
    const above = over.slots[index]
    if (above === undefined) return below
    if (below === undefined || module.perDirectory?.merge === undefined) return above
    // The registry's contract: a module's objects only ever meet its own functions.
    return module.perDirectory.merge(below as never, above as never)
  })
  return { slots, core, sections: [...base.sections, ...over.sections] }
}
