import type { Request } from '@gatewright/api'
import type { Place } from './explanation.ts'
import type { PlaceText } from './place-text.ts'

/**
 * The virtual host that answered, and the address at which it was reached: the first question about any
 * decision.
 */
export interface AnsweringServer {
  /** False for the main server, which answers where no virtual host does. */
  readonly isVirtual: boolean
  /** Its ServerName. */
  readonly name: string
  /** The `<VirtualHost>` line; null for the main server. */
  readonly place: Place | null
  /** The local address and port of the client's connection. */
  readonly localAddress: string
  readonly localPort: number
}

/** The server of a request, as it was when the request was decided. */
export function answeringServer({ server, connection }: Request): AnsweringServer {
  const { isVirtual, serverName, file, line } = server
  return {
    isVirtual,
    name: serverName,
    place: isVirtual ? { file, line } : null,
    localAddress: connection.localAddress,
    localPort: connection.localPort,
  }
}

/** `virtual host www.example.org (conf/site.conf:28), port 8430`. */
export function answeringServerText({ isVirtual, name, place, localPort }: AnsweringServer, placeText: PlaceText): string {
  const where = place === null ? '' : ` (${placeText(place)})`
  return `${isVirtual ? 'virtual host' : 'main server'} ${name}${where}, port ${localPort}`
}
