import type { DecisionTracer } from './tracing.ts'

/**
 * A request that another server, such as a reverse proxy, received from a client and asks about.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ForeignRequest {
  /** As the client sent it. */
  readonly method: string
  /** Path and query as the client sent them, not decoded. */
  readonly target: string
  /** The value of its Host field; the virtual host is chosen by it, among those of the address that received the question. */
  readonly host: string
  /** The scheme of its URL. */
  readonly scheme: 'http' | 'https'
  /** The client's address, in the form of `Connection.remoteAddress`. */
  readonly clientAddress: string
  /** The client's port; 0 if unknown. */
  readonly clientPort: number
  /** Names of fields that the question has in addition: the request has all others of its fields. The list does not change later. */
  readonly without: readonly string[]
  /** Receives the steps of the decision, as those of an explanation; null for nobody. */
  readonly observer: DecisionTracer | null
}
