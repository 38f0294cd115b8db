import type { Server } from './server.ts'

/** Port and family of a client, beside its address as text. */
export interface SocketAddress {
  readonly port: number
  readonly family: 'IPv4' | 'IPv6'
}

/** A client's connection: there is one address of the client, its peer's. */
export interface Connection {
  readonly remoteIp: string
  readonly remoteAddr: SocketAddress
  readonly localAddress: string
  readonly localPort: number
  /** Requests answered before the present one. */
  readonly keepalives: number
  /** The virtual host that the address alone selects. */
  readonly baseServer: Server
  /** True when the client went away before the response was complete. */
  readonly aborted: boolean
}
