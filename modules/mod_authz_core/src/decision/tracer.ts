import type { AuthzStatus, Request } from '@gatewright/api'
import type { DecisionNode } from './node.ts'

/**
 * Is told every step of a decision as it is taken: children before their container, nothing about children that an early stop skips.
 * The decision itself is the same with and without one. A node says where it stands (`place`).
 */
export interface Tracer {
  /** The node's value, its negation included. */
  evaluated(request: Request, node: DecisionNode, status: AuthzStatus): void
  /** The node was passed over: its methods (`<Limit>`) do not include the request's. `status` is what stands in for it. */
  limited(request: Request, node: DecisionNode, status: AuthzStatus): void
}

/** Both are told everything. */
export function tracerPair(one: Tracer, other: Tracer): Tracer {
  return {
    evaluated(request, node, status) {
      one.evaluated(request, node, status)
      other.evaluated(request, node, status)
    },
    limited(request, node, status) {
      one.limited(request, node, status)
      other.limited(request, node, status)
    },
  }
}
