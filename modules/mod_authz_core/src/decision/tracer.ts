import type { AuthzStatus, Request } from '@gatewright/api'
import type { DecisionNode } from './node.ts'

/**
 * Receives every step of a decision as it is taken: children before their container, and no children that an
 * early stop skips. A tracer does not change the decision. A node has its position in the configuration
 * (`place`).
 */
export interface Tracer {
  /** The node's value, its negation included. */
  evaluated(request: Request, node: DecisionNode, status: AuthzStatus): void
  /**
   * The node was skipped: its methods (`<Limit>`) do not include the request's. `status` is used instead of
   * its result.
   */
  limited(request: Request, node: DecisionNode, status: AuthzStatus): void
}

/** A tracer that passes every step to both. */
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
