import type { MaybePromise, Request } from '@gatewright/api'
import type { HostRules, Order } from './host-rules.ts'
import type { ClientView, RuleList } from './rule-list.ts'

/**
 * The decision of Order, Allow and Deny; true means allowed. As in httpd, the second list is evaluated even
 * if it cannot change the result, because a name that it looks up appears in the access log.
 */
export function hostAllowed(rules: Readonly<HostRules>, request: Request, client: ClientView): MaybePromise<boolean> {
  if (!rules.ruled.has(request.methodNumber)) return true
  const order = rules.order[request.methodNumber] ?? 'deny,allow'
  const denyFirst = order === 'deny,allow'
  const first = (denyFirst ? rules.denies : rules.allows).matches(request, client)
  const second = denyFirst ? rules.allows : rules.denies
  return typeof first === 'boolean'
    ? thenSecond(order, first, second, request, client)
    : later(order, first, second, request, client)
}

function thenSecond(order: Order, first: boolean, list: RuleList, request: Request, client: ClientView): MaybePromise<boolean> {
  if (order === 'mutual-failure' && !first) return false
  const second = list.matches(request, client)
  return typeof second === 'boolean' ? verdict(order, first, second) : second.then((match) => verdict(order, first, match))
}

async function later(
  order: Order,
  first: Promise<boolean>,
  list: RuleList,
  request: Request,
  client: ClientView,
): Promise<boolean> {
  return thenSecond(order, await first, list, request, client)
}

/**
 * `deny,allow` allows by default, and Allow overrides Deny. The others allow only a client that Allow lists
 * and Deny does not.
 */
function verdict(order: Order, first: boolean, second: boolean): boolean {
  return order === 'deny,allow' ? !first || second : first && !second
}
