import type { MaybePromise, Request } from '@gatewright/api'
import type { Rule } from './rule.ts'

/** Cost of a rule that copies fields and tests the name of each. */
const STEPS_OF_AN_ECHO = 16

/** Applies rules in order. If there are many, other requests are served in between. */
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
