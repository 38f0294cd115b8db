import type { MaybePromise, Request } from '@gatewright/api'
import type { HostRules, Order } from './host-rules.ts'
import type { ClientView, RuleList } from './rule-list.ts'

/**
 * The decision of Order, Allow and Deny: true lets the client in. The second list is asked even where its answer cannot matter, as httpd
 * does: a name that it looks up appears in the access log.
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

/** `deny,allow` begins allowed and lets Allow beat Deny; the others let in only who is allowed and not denied. */
function verdict(order: Order, first: boolean, second: boolean): boolean {
  return order === 'deny,allow' ? !first || second : first && !second
}
