import { CORE_INDEX, type ModuleRegistry } from '../modules/registry.ts'
import { type CoreDirectoryConfig, mergeCoreDirectory } from './directory-config.ts'
import type { Section } from './section.ts'

/** What the directives of sections say, without the sections themselves. */
export interface MergedSlots {
  readonly slots: readonly unknown[]
  readonly core: CoreDirectoryConfig | null
}

/** Something that can be merged over a configuration: undefined slots leave what is there. */
export interface Mergeable extends MergedSlots {
  /** What it was merged from, in that order. */
  readonly sections: readonly Section[]
}

const NOTHING: MergedSlots = { slots: [], core: null }

/**
 * Sections that one walk found, merged in order. httpd merges the sections of a walk with each other first and the result over what was there before; with AuthMerging
 * that makes a difference, so the same is done here. Chains are made once and looked up after that: equal sequences are the same object.
 *
 * A chain is a link to the one before it and its last section. Only the end of a walk is merged, when somebody asks what it says: thousands of sections then
 * cost thousands of merges, and no chain on the way keeps a list of its own.
 */
export class SectionChain implements Mergeable {
  private readonly registry: ModuleRegistry
  private readonly before: SectionChain | null
  private readonly last: Section | null
  private merged: MergedSlots | null
  private lastSection: Section | null = null
  private lastResult: SectionChain | null = null
  /** Weak, because the sections of .htaccess files come and go with their files. */
  private results: WeakMap<Section, SectionChain> | null = null

  private constructor(registry: ModuleRegistry, before: SectionChain | null, last: Section | null) {
    this.registry = registry
    this.before = before
    this.last = last
    this.merged = last === null ? NOTHING : null
  }

  /** The chain of no section. */
  static empty(registry: ModuleRegistry): SectionChain {
    return new SectionChain(registry, null, null)
  }

  get slots(): readonly unknown[] {
    return this.mergedSlots.slots
  }

  get core(): CoreDirectoryConfig | null {
    return this.mergedSlots.core
  }

  get sections(): readonly Section[] {
    return this.sectionsAfter(null)
  }

  /** True when asking what it says costs nothing. */
  get isMerged(): boolean {
    return this.merged !== null
  }

  /** This chain with one more section behind it. */
  with(section: Section): SectionChain {
    if (section === this.lastSection && this.lastResult !== null) return this.lastResult
    let result = this.results?.get(section)
    if (result === undefined) {
      result = new SectionChain(this.registry, this, section)
      if (this.lastSection !== null && this.lastResult !== null) {
        this.results ??= new WeakMap()
        this.results.set(this.lastSection, this.lastResult)
        this.results.set(section, result)
      }
    }
    this.lastSection = section
    this.lastResult = result
    return result
  }

  /**
   * Merges what was not merged yet, a section at a time, so that a caller can give way in between. Yields before each section but the first.
   */
  *mergeInSteps(): Generator<Section, void, void> {
    if (this.merged !== null) return
    let base: SectionChain | null = this.before
    while (base !== null && base.merged === null) base = base.before
    let sofar = base?.merged ?? NOTHING
    const sections = this.sectionsAfter(base)
    for (let index = 0; index < sections.length; index++) {
      if (index > 0) yield sections[index]
      sofar = mergeSlots(this.registry, sofar, sections[index])
    }
    this.merged = sofar
  }

  private get mergedSlots(): MergedSlots {
    if (this.merged !== null) return this.merged
    for (const _ of this.mergeInSteps());
    return this.merged ?? NOTHING
  }

  private sectionsAfter(end: SectionChain | null): Section[] {
    const sections: Section[] = []
    for (let link: SectionChain | null = this; link !== null && link !== end; link = link.before) {
      if (link.last !== null) sections.push(link.last)
    }
    return sections.reverse()
  }
}

/** Merges slot by slot: what only one side has is shared, what both have is merged by its module, and replaced where the module has no way to merge. */
export function mergeSlots(registry: ModuleRegistry, base: MergedSlots, over: MergedSlots): MergedSlots {
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
  return { slots, core }
}
