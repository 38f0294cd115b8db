import type { MergedConfig } from './merged-config.ts'
import type { Section } from './section.ts'
import type { SectionChain } from './section-chain.ts'

/**
 * The progress of a walk through folders: the chain of sections found so far, and their result merged over
 * the server's defaults, which decides whether links are followed and .htaccess files are read.
 */
export class WalkState {
  /** The defaults with each section merged in turn. */
  readonly sofar: MergedConfig
  readonly #base: MergedConfig
  readonly #chain: SectionChain
  #lastSection: Section | null = null
  #lastResult: WalkState | null = null
  #results: WeakMap<Section, WalkState> | null = null

  constructor(base: MergedConfig, sofar: MergedConfig, chain: SectionChain) {
    this.#base = base
    this.sofar = sofar
    this.#chain = chain
  }

  with(section: Section): WalkState {
    if (section === this.#lastSection && this.#lastResult !== null) return this.#lastResult
    let result = this.#results?.get(section)
    if (result === undefined) {
      result = new WalkState(this.#base, this.sofar.with(section), this.#chain.with(section))
      this.#results ??= new WeakMap()
      this.#results.set(section, result)
    }
    this.#lastSection = section
    this.#lastResult = result
    return result
  }

  withAll(sections: readonly Section[]): WalkState {
    let state: WalkState = this
    for (let index = 0; index < sections.length; index++) state = state.with(sections[index])
    return state
  }

  /** The configuration at the end of the walk. */
  get config(): MergedConfig {
    return this.#base.with(this.#chain)
  }
}
