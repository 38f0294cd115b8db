import {
  DECLINED,
  fillTemplate,
  type HostServices,
  isExpressionError,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import type { Action } from './action.ts'
import type { RuleGroup } from './config.ts'
import type { ConditionRule } from './rule.ts'
import { subjectText } from './subject.ts'
import { groupsOf, matches } from './text-test.ts'

const NO_GROUPS: readonly string[] = []

/** Sets and removes variables by the rules, in order. */
export function applyRules(request: Request, groups: readonly RuleGroup[], services: HostServices, log: ModuleLog): Outcome {
  for (const { subject, rules } of groups) {
    const text = subject === null ? '' : subjectText(subject, request, services)
    for (const rule of rules) {
      if (rule.kind === 'condition') {
        const groups = conditionGroups(request, rule, log)
        // Behind a pattern that did not match httpd takes values as they stand: `$1` for `$1`.
        if (groups !== null) perform(request, rule.actions, groups.length === 0 ? 'none' : groups, log)
      } else if (rule.usesGroups) {
        const found = groupsOf(rule.test, text)
        if (found !== null) perform(request, rule.actions, found, log)
      } else if (matches(rule.test, text)) {
        perform(request, rule.actions, NO_GROUPS, log)
      }
    }
  }
  return DECLINED
}

function perform(request: Request, actions: readonly Action[], groups: readonly string[] | 'none', log: ModuleLog): void {
  const traced = log.enabled(request, 'trace2')
  for (const { variable, value, source } of actions) {
    if (value === null) request.env.unset(variable)
    else if (groups === 'none') request.env.set(variable, source)
    else request.env.set(variable, typeof value === 'string' ? value : fillTemplate(value, groups))
    if (traced) log.write(request, 'trace2', '', `Setting ${variable}`)
  }
}

/** A rule whose expression cannot be evaluated sets nothing. */
function conditionGroups(request: Request, rule: ConditionRule, log: ModuleLog): readonly string[] | null {
  try {
    return rule.condition.match(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(request, 'warn', '', `SetEnvIfExpr: expression could not be evaluated: ${error.message}`)
    return null
  }
}
