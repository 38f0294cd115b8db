import type { Server } from './server.ts'

/** A client's connection. Addresses are texts as httpd prints them: an IPv4-mapped IPv6 address appears as IPv4. */
export interface Connection {
  readonly remoteAddress: string
  readonly remotePort: number
  readonly localAddress: string
  readonly localPort: number
  /** Requests answered before the present one (`%k`). */
  readonly keepalives: number
  /** The virtual host that the address alone selects. */
  readonly baseServer: Server
  /** True when the client went away before the response was complete. */
  readonly aborted: boolean
}
