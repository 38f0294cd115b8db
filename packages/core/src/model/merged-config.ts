import type { DirectoryConfig } from '@gatewright/api'
import type { ModuleRegistry } from '../modules/registry.ts'
import type { CoreDirectoryConfig } from './directory-config.ts'
import type { Section } from './section.ts'
import { type Mergeable, mergeSlots, SectionChain } from './section-chain.ts'

/** A configuration that has a value for every setting of core. */
interface Complete {
  readonly slots: readonly unknown[]
  readonly core: CoreDirectoryConfig
}

/** The configuration and the sections from which it was merged. */
interface Parts {
  readonly base: MergedConfig
  readonly over: Mergeable
}

/**
 * The per-directory configuration that applies to a request: the server's defaults, merged with the sections
 * of each walk in turn. It is created once and then looked up, so equal sequences yield the same object.
 */
export class MergedConfig implements DirectoryConfig {
  readonly slots: readonly unknown[]
  readonly core: CoreDirectoryConfig
  /** The empty chain, where every walk of this configuration begins. */
  readonly noSections: SectionChain
  readonly #registry: ModuleRegistry
  readonly #parts: Parts | null
  #lastOver: Mergeable | null = null
  #lastResult: MergedConfig | null = null
  #results: WeakMap<Mergeable, MergedConfig> | null = null

  constructor(registry: ModuleRegistry, { slots, core }: Complete, parts: Parts | null = null) {
    this.#registry = registry
    this.slots = slots
    this.core = core
    this.#parts = parts
    this.noSections = parts === null ? SectionChain.empty(registry) : parts.base.noSections
  }

  /** The configuration over which the last sections were merged; null for the server's defaults. */
  get base(): MergedConfig | null {
    return this.#parts?.base ?? null
  }

  /** The section that was merged last; undefined for the server's defaults. */
  get lastSection(): Section | undefined {
    return this.#parts?.over.sections.at(-1)
  }

  /**
   * The sections that were merged into it, in order, without the defaults of servers. Only explanations use
   * it.
   */
  get sections(): readonly Section[] {
    const overs: Mergeable[] = []
    for (let config: MergedConfig = this; config.#parts !== null; config = config.#parts.base) overs.push(config.#parts.over)
    return overs.reverse().flatMap(({ sections }) => sections)
  }

  /** This configuration with a section, or a chain found by a walk, merged over it. */
  with(over: Mergeable): MergedConfig {
    if (over === this.noSections) return this
    if (over === this.#lastOver && this.#lastResult !== null) return this.#lastResult
    let result = this.#results?.get(over)
    if (result === undefined) {
      const { slots, core } = mergeSlots(this.#registry, this, over)
      result = new MergedConfig(this.#registry, { slots, core: core ?? this.core }, { base: this, over })
      if (this.#lastOver !== null && this.#lastResult !== null) {
        this.#results ??= new WeakMap()
        this.#results.set(this.#lastOver, this.#lastResult)
        this.#results.set(over, result)
      }
    }
    this.#lastOver = over
    this.#lastResult = result
    return result
  }
}
