import {
  DECLINED,
  type HostServices,
  HTTP_INTERNAL_SERVER_ERROR,
  isExpressionError,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { fillTemplate } from '@gatewright/api/text'
import type { Action } from './action.ts'
import type { RuleGroup } from './config.ts'
import type { ConditionRule, Rule } from './rule.ts'
import { subjectText } from './subject.ts'
import { groupsOf, matches } from './text-test.ts'

const NO_GROUPS: readonly string[] = []

/** In bytes: httpd's limit for a value composed from groups. */
const LONGEST_VALUE = 65_535

/** Cost of an expression, which may inspect files. */
const STEPS_OF_A_CONDITION = 8

/** Sets and unsets variables by the rules, in order. */
export function applyRules(
  request: Request,
  groups: readonly RuleGroup[],
  services: HostServices,
  log: ModuleLog,
): MaybePromise<Outcome> {
  return groups.length === 0 ? DECLINED : new RulesWalk(request, groups, services, log).walk()
}

/** The position in the rules, so that processing can continue there after yielding to other requests. */
class RulesWalk {
  readonly #request: Request
  readonly #groups: readonly RuleGroup[]
  readonly #services: HostServices
  readonly #log: ModuleLog
  #group = 0
  #rule = 0
  /**
   * The text that the rules of the group match. It does not reflect variables that earlier rules of the group
   * set.
   */
  #text = ''

  constructor(request: Request, groups: readonly RuleGroup[], services: HostServices, log: ModuleLog) {
    this.#request = request
    this.#groups = groups
    this.#services = services
    this.#log = log
  }

  walk(): MaybePromise<Outcome> {
    const request = this.#request
    const groups = this.#groups
    const { work } = request
    for (; this.#group < groups.length; this.#group++) {
      const { subject, rules } = groups[this.#group]
      if (this.#rule === 0) this.#text = subject === null ? '' : subjectText(subject, request, this.#services)
      for (; this.#rule < rules.length; this.#rule++) {
        const rule = rules[this.#rule]
        if (work.spend(this.#stepsOf(rule))) return work.pause(rule.place).then(() => this.walk())
        if (!this.#apply(rule)) return HTTP_INTERNAL_SERVER_ERROR
      }
      this.#rule = 0
    }
    return DECLINED
  }

  #stepsOf(rule: Rule): number {
    return rule.kind === 'condition' ? STEPS_OF_A_CONDITION : 1 + (this.#text.length >> 5)
  }

  /** Applies one rule; returns false if a value is too long. */
  #apply(rule: Rule): boolean {
    if (rule.kind === 'condition') {
      const groups = conditionGroups(this.#request, rule, this.#log)
      // As in httpd, an expression without groups uses values as written: `$1` stays `$1`.
      return groups === null || this.#perform(rule, groups.length === 0 ? 'none' : groups)
    }
    if (!rule.usesGroups) return !matches(rule.test, this.#text) || this.#perform(rule, NO_GROUPS)
    const found = groupsOf(rule.test, this.#text)
    return found === null || this.#perform(rule, found)
  }

  #perform({ actions }: Rule, groups: readonly string[] | 'none'): boolean {
    const request = this.#request
    const log = this.#log
    const traced = log.enabled(request, 'trace2')
    for (const action of actions) {
      const { variable } = action
      const value = textOf(action, groups)
      if (value === null) request.env.unset(variable)
      else if (value.length > LONGEST_VALUE) return this.#refuse(variable)
      else request.env.set(variable, value)
      if (traced) log.write(request, 'trace2', '', `Setting ${variable}`)
    }
    return true
  }

  #refuse(variable: string): false {
    const text = `Regular expression replacement failed for '${variable}', value too long?`
    this.#log.write(this.#request, 'crit', 'AH01505', text)
    return false
  }
}

function textOf({ value, source }: Action, groups: readonly string[] | 'none'): string | null {
  if (value === null) return null
  if (groups === 'none') return source
  return typeof value === 'string' ? value : fillTemplate(value, groups)
}

/** The groups of a condition, or null if it is false. Logs an expression that cannot be evaluated. */
function conditionGroups(request: Request, rule: ConditionRule, log: ModuleLog): readonly string[] | null {
  try {
    return rule.condition.match(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(request, 'warn', '', `SetEnvIfExpr: expression could not be evaluated: ${error.message}`)
    return null
  }
}
