import { CORE_INDEX, type ModuleRegistry } from '../modules/registry.ts'
import { type CoreDirectoryConfig, mergeCoreDirectory } from './directory-config.ts'
import type { Section } from './section.ts'

/** The directives of sections, without the sections themselves. */
export interface MergedSlots {
  readonly slots: readonly unknown[]
  readonly core: CoreDirectoryConfig | null
}

/** A part that can be merged over a configuration: undefined slots leave the existing value. */
export interface Mergeable extends MergedSlots {
  /** The sections from which it was merged, in order. */
  readonly sections: readonly Section[]
}

const NOTHING: MergedSlots = { slots: [], core: null }

/**
 * The sections that one walk found, merged in order. Like httpd, this class first merges the sections of a
 * walk with each other and then the result over the previous configuration; AuthMerging depends on that
 * order. Chains are created once and looked up after that: equal sequences yield the same object.
 *
 * A chain links its last section to the chain before it. Only the chain at the end of a walk is merged, on
 * first use: thousands of sections then cost thousands of merges, and no intermediate chain stores a list of
 * its own.
 */
export class SectionChain implements Mergeable {
  readonly #registry: ModuleRegistry
  readonly #before: SectionChain | null
  readonly #last: Section | null
  #merged: MergedSlots | null
  #lastSection: Section | null = null
  #lastResult: SectionChain | null = null
  /** Weak, because the sections of .htaccess files come and go with their files. */
  #results: WeakMap<Section, SectionChain> | null = null

  private constructor(registry: ModuleRegistry, before: SectionChain | null, last: Section | null) {
    this.#registry = registry
    this.#before = before
    this.#last = last
    this.#merged = last === null ? NOTHING : null
  }

  /** The empty chain. */
  static empty(registry: ModuleRegistry): SectionChain {
    return new SectionChain(registry, null, null)
  }

  get slots(): readonly unknown[] {
    return this.#mergedSlots.slots
  }

  get core(): CoreDirectoryConfig | null {
    return this.#mergedSlots.core
  }

  get sections(): readonly Section[] {
    return this.#sectionsAfter(null)
  }

  /** True if its content is already merged. */
  get isMerged(): boolean {
    return this.#merged !== null
  }

  /** This chain with one more section appended. */
  with(section: Section): SectionChain {
    if (section === this.#lastSection && this.#lastResult !== null) return this.#lastResult
    let result = this.#results?.get(section)
    if (result === undefined) {
      result = new SectionChain(this.#registry, this, section)
      if (this.#lastSection !== null && this.#lastResult !== null) {
        this.#results ??= new WeakMap()
        this.#results.set(this.#lastSection, this.#lastResult)
        this.#results.set(section, result)
      }
    }
    this.#lastSection = section
    this.#lastResult = result
    return result
  }

  /**
   * Merges what is not merged yet, one section at a time, so that a caller can give way to other work. Yields
   * before each section except the first.
   */
  *mergeInSteps(): Generator<Section, void, void> {
    if (this.#merged !== null) return
    let base: SectionChain | null = this.#before
    while (base !== null && base.#merged === null) base = base.#before
    let merged = base === null || base.#merged === null ? NOTHING : base.#merged
    const sections = this.#sectionsAfter(base)
    for (let index = 0; index < sections.length; index++) {
      if (index > 0) yield sections[index]
      merged = mergeSlots(this.#registry, merged, sections[index])
    }
    this.#merged = merged
  }

  get #mergedSlots(): MergedSlots {
    if (this.#merged !== null) return this.#merged
    for (const _ of this.mergeInSteps());
    return this.#merged ?? NOTHING
  }

  #sectionsAfter(end: SectionChain | null): Section[] {
    const sections: Section[] = []
    for (let link: SectionChain | null = this; link !== null && link !== end; link = link.#before) {
      if (link.#last !== null) sections.push(link.#last)
    }
    return sections.reverse()
  }
}

/**
 * Merges slot by slot: a slot that only one side has is shared; a slot that both sides have is merged by its
 * module, or replaced if the module does not define a merge.
 */
export function mergeSlots(registry: ModuleRegistry, base: MergedSlots, over: MergedSlots): MergedSlots {
  const core = over.core === null ? base.core : base.core === null ? over.core : mergeCoreDirectory(base.core, over.core)
  const slots = registry.modules.map(({ module, index }) => {
    if (index === CORE_INDEX) return core ?? undefined
    const below = base.slots[index]
    const above = over.slots[index]
    if (above === undefined) return below
    if (below === undefined || module.perDirectory?.merge === undefined) return above
    // The registry guarantees that a module's objects are passed only to its own functions.
    return module.perDirectory.merge(below as never, above as never)
  })
  return { slots, core }
}
