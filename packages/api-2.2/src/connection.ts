import type { Server } from './server.ts'

/** Port and family of a client, in addition to its address as text. */
export interface SocketAddress {
  readonly port: number
  readonly family: 'IPv4' | 'IPv6'
}

/** A client's connection. It has only one address of the client: that of its peer. */
export interface Connection {
  readonly remoteIp: string
  readonly remoteAddr: SocketAddress
  readonly localAddress: string
  readonly localPort: number
  /** Requests on this connection before the present one. */
  readonly keepalives: number
  /** The virtual host that the address alone selects. */
  readonly baseServer: Server
  /** True if the client disconnected before the response was complete. */
  readonly aborted: boolean
}
