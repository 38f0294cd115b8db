import type { MaybePromise } from '@gatewright/api'
import { traceDirective } from '@gatewright/api/tracing'
import { applyRule, type RuleServer } from './apply-rule.ts'
import type { RewriteRule } from './rule.ts'
import type { Run } from './run.ts'

/**
 * The result of a list of rules: nothing was substituted; something was, and a redirect escapes it or sends
 * it unchanged; or the request's status is the answer.
 */
export type RulesResult = 'unchanged' | 'changed' | 'changedUnescaped' | 'status'

export interface RulesServer extends RuleServer {
  /** Records that no further rule is applied to the request (flag END). */
  end(run: Run): void
}

/** Applies the rules in order, as their flags require. */
export function applyRules(run: Run, rules: readonly RewriteRule[], server: RulesServer): MaybePromise<RulesResult> {
  return new RulesWalk(run, rules, server).walk()
}

/** Cost of a rule. A rule that does not match takes a microsecond, one that matches somewhat more. */
const STEPS_OF_A_RULE = 2

/** The position in the list, so that processing can continue there after a wait. */
class RulesWalk {
  readonly #run: Run
  readonly #rules: readonly RewriteRule[]
  readonly #server: RulesServer
  /** A longer result is taken for the work of rules that never end. */
  readonly #lengthLimit: number
  #index = 0
  #rounds = 1
  #result: RulesResult = 'unchanged'

  constructor(run: Run, rules: readonly RewriteRule[], server: RulesServer) {
    this.#run = run
    this.#rules = rules
    this.#server = server
    this.#lengthLimit = 2 * run.request.server.limitRequestLine
  }

  walk(): MaybePromise<RulesResult> {
    const { request } = this.#run
    const { work } = request
    while (this.#index < this.#rules.length) {
      const rule = this.#rules[this.#index]
      if (this.#run.request.main !== null && rule.noSubrequest) {
        this.#index++
        continue
      }
      if (!this.#run.resumed && work.spend(STEPS_OF_A_RULE + (request.filename.length >> 5))) {
        return work.pause(rule.place).then(() => this.walk())
      }
      this.#run.place = rule.place
      const applied = applyRule(this.#run, rule, this.#server)
      if (this.#run.waiting !== null) return this.#run.waiting.then(() => this.walk())
      this.#run.forgetAnswers()
      if (applied !== 'noMatch' && request.tracer !== null) traceRule(this.#run, rule)
      if (applied === 'noMatch') this.#index = this.#afterChain(this.#index)
      else {
        if (applied !== 'noSubstitution') {
          this.#run.lastSubstitution = rule
          this.#run.trace?.write(2, this.#run.directory, `setting lastsub to rule with output ${rule.substitution?.source ?? ''}`)
        }
        if (applied === 'refused') return 'status'
        if (this.#run.request.filename.length > this.#lengthLimit) return this.#tooLong(rule)
        if (this.#matched(rule, applied === 'match')) return this.#result
      }
    }
    return this.#result
  }

  /** Whether the list ends with this rule. */
  #matched(rule: RewriteRule, substituted: boolean): boolean {
    const { request, trace, directory, ruleVary } = this.#run
    if (ruleVary !== '') request.headersOut.merge('Vary', ruleVary)
    if (rule.answer === 'status') {
      this.#result = 'status'
      return true
    }
    if (substituted) this.#result = rule.noEscape ? 'changedUnescaped' : 'changed'
    if (rule.passThrough) {
      trace?.write(2, directory, `forcing '${request.filename}' to get passed through to next API URI-to-filename handler`)
      request.filename = PASS_THROUGH + request.filename
      this.#result = 'changed'
      return true
    }
    if (rule.end) {
      trace?.write(8, directory, 'Rule has END flag, no further rewriting for this request')
      this.#server.end(this.#run)
      return true
    }
    if (rule.proxy || rule.last) return true
    if (rule.rounds !== null) return this.#nextRound(rule, rule.rounds)
    this.#index += 1 + Math.max(0, rule.skip)
    return false
  }

  #nextRound(rule: RewriteRule, limit: number): boolean {
    this.#rounds++
    this.#index = 0
    if (this.#rounds < limit) return false
    this.#result = this.#exceeded('AH02596', rule, `number of rounds (${limit}) via the [N] flag`)
    return true
  }

  #tooLong(rule: RewriteRule): RulesResult {
    return this.#exceeded('', rule, `length (${this.#lengthLimit})`)
  }

  #exceeded(code: string, rule: RewriteRule, what: string): RulesResult {
    const { request } = this.#run
    this.#server.log.write(
      request,
      'error',
      code,
      `RewriteRule '${rule.source}' and URI '${request.uri}' exceeded maximum ${what}`,
    )
    request.status = 500
    return 'status'
  }

  /** The index after the rules that are chained to one that did not match. */
  #afterChain(index: number): number {
    let at = index
    while (at < this.#rules.length && this.#rules[at].chain) at++
    return at + 1
  }
}

/** Reports a rule that matched to an explanation. */
function traceRule({ request, uri }: Run, rule: RewriteRule): void {
  const { filename, status } = request
  const shown = uri === '' ? "''" : uri
  const effect =
    rule.answer === 'status'
      ? `answers ${status}`
      : rule.substitution === null
        ? `matches ${shown} and does not change it`
        : rule.answer === 'redirect' || /^[a-z][a-z0-9+.-]*:\/\//i.test(filename)
          ? `redirects ${shown} to ${filename} (${rule.status})`
          : `rewrites ${shown} to ${filename}`
  traceDirective(request, 'RewriteRule', rule.place, effect)
}

/** Marks a result that Alias and other modules translate further. */
export const PASS_THROUGH = 'passthrough:'
/** Marks a result that would have to be fetched by a proxy. */
export const PROXY = 'proxy:'
