import { isExpressionError, type MaybePromise } from '@gatewright/api'
import type { IfSection } from '../model/directory-config.ts'
import type { MergedConfig } from '../model/merged-config.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { SectionChain } from '../model/section-chain.ts'
import { mergedOver } from './merge-in-turns.ts'
import type { WalkMemory } from './walk-memory.ts'

/** An `<If>` whose expression failed. */
export interface IfFailure {
  readonly section: IfSection
  readonly reason: string
}

/** An expression may read files or long texts, so the clock is checked after every few expressions. */
const STEPS_OF_A_CONDITION = 16

/**
 * Evaluates the `<If>`, `<ElseIf>` and `<Else>` sections of a configuration in order and merges those that
 * apply. Nested sections are evaluated after the entire outer generation.
 * @param memory decides whether httpd would leave the inner sections out; null where the result is the same
 * if that is decided after the walk
 */
export function ifWalk(
  request: RequestRecord,
  base: MergedConfig,
  memory: WalkMemory | null,
): MaybePromise<MergedConfig | IfFailure> {
  return base.core.ifSections.length === 0 ? base : new IfWalk(request, base, memory).run()
}

/** The position of the walk, so that it can continue there after it gave way to other requests. */
class IfWalk {
  readonly #request: RequestRecord
  readonly #memory: WalkMemory | null
  readonly #followsAnother: boolean
  #config: MergedConfig
  #chain: SectionChain
  /**
   * The generation being evaluated: sections from `index` to `end`. Sections added by the earlier ones follow
   * it.
   */
  #index = 0
  #end: number
  #satisfied = false

  constructor(request: RequestRecord, base: MergedConfig, memory: WalkMemory | null) {
    this.#request = request
    this.#memory = memory
    this.#followsAnother = request.prev !== null || request.main !== null
    this.#config = base
    this.#chain = base.noSections
    this.#end = base.core.ifSections.length
  }

  run(): MaybePromise<MergedConfig | IfFailure> {
    this.#request.ifWalkConfig = this.#config
    let result: MaybePromise<MergedConfig | IfFailure>
    try {
      result = this.#walk()
    } catch (error) {
      this.#request.ifWalkConfig = null
      throw error
    }
    if (result instanceof Promise) {
      return result.finally(() => {
        this.#request.ifWalkConfig = null
      })
    }
    this.#request.ifWalkConfig = null
    return result
  }

  #walk(): MaybePromise<MergedConfig | IfFailure> {
    const request = this.#request
    const { work } = request
    while (this.#index < this.#end) {
      const sections = this.#config.core.ifSections
      for (; this.#index < this.#end; this.#index++) {
        const one = sections[this.#index]
        if (work.spend(STEPS_OF_A_CONDITION)) return work.pause(one.section.place).then(() => this.#walk())
        const failure = this.#evaluate(one)
        if (failure !== null) return failure
      }
      const merged = mergedOver(this.#config, this.#chain, work)
      if (merged instanceof Promise) {
        return merged.then((config) => {
          this.#nextGeneration(config)
          return this.#walk()
        })
      }
      this.#nextGeneration(merged)
    }
    return this.#config
  }

  #evaluate(one: IfSection): IfFailure | null {
    if (one.chain === 'if') this.#satisfied = false
    if (this.#satisfied) return null
    const holds = holdsFor(this.#request, one)
    if (typeof holds === 'string') return { section: one, reason: holds }
    this.#request.tracer?.step(this.#request, { kind: 'condition', section: one.section, holds })
    if (!holds) return null
    this.#satisfied = true
    this.#chain = this.#chain.with(one.section)
    return null
  }

  #nextGeneration(config: MergedConfig): void {
    this.#config = config
    this.#chain = config.noSections
    this.#satisfied = false
    this.#end = config.core.ifSections.length
    if (this.#index === this.#end) return
    this.#request.ifWalkConfig = config
    // The conditions of skipped sections are not evaluated: they could look up requests.
    if (this.#followsAnother && this.#memory?.endsIfWalk(this.#request) === true) this.#index = this.#end
  }
}

function holdsFor(request: RequestRecord, { condition }: IfSection): boolean | string {
  if (condition === null) return true
  try {
    return condition.test(request)
  } catch (error) {
    if (isExpressionError(error)) return error.message
    throw error
  }
}

export function isIfFailure(result: MergedConfig | IfFailure): result is IfFailure {
  return 'reason' in result
}
