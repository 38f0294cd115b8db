import type { MaybePromise, Request } from '@gatewright/api'
import type { Rule } from './rule.ts'

/** A rule that copies fields tests the name of each. */
const STEPS_OF_AN_ECHO = 16

/** Applies rules in order, giving way to other requests when there are many. */
export function inTurns<C>(
  request: Request,
  rules: readonly Rule[],
  context: C,
  apply: (request: Request, rule: Rule, context: C) => MaybePromise<void>,
  first = 0,
): MaybePromise<void> {
  const { work } = request
  for (let index = first; index < rules.length; index++) {
    const rule = rules[index]
    if (work.spend(rule.action === 'echo' ? STEPS_OF_AN_ECHO : 1)) {
      return work.pause(rule.place).then(() => inTurns(request, rules, context, apply, index))
    }
    const waiting = apply(request, rule, context)
    if (waiting instanceof Promise) return waiting.then(() => inTurns(request, rules, context, apply, index + 1))
  }
}
