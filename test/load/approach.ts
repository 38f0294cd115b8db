import { connect, type Socket } from 'node:net'

/** How a client reaches the server. */
export interface Approach {
  /** The field Host of its requests. */
  readonly host: string
  /** Begins a new connection; one of TLS is ready with the event `secureConnect`. */
  open(): Socket
}

/** The approaches of all clients, by their numbers from 0. */
export type Approaches = (client: number) => Approach

/** All clients come to a port of this machine without TLS. */
export function withoutTls(port: number): Approaches {
  const approach: Approach = { host: 'localhost', open: () => connect({ host: '127.0.0.1', port, noDelay: true }) }
  return () => approach
}
