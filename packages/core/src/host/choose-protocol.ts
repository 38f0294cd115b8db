import type { Connection, Server } from '@gatewright/api'
import { HTTP_1_1, ServerRecord } from '../model/server-record.ts'
import type { ProviderRegistry } from '../modules/provider-registry.ts'

/**
 * Chooses the protocol for a connection as httpd does: among those that the client offers, one that Protocols
 * names and a module speaks, or that a module opens to the connection, or HTTP/1.1 even if Protocols does not name
 * it. ProtocolsHonorOrder decides whose order counts.
 * @returns null if nothing that the client offers is possible
 */
export function protocolChoice({
  protocols,
}: ProviderRegistry): (
  connection: Connection,
  server: Server,
  serverName: string | null,
  offers: readonly string[],
) => string | null {
  return (connection, server, serverName, offers) => {
    const honorsOrder = !(server instanceof ServerRecord) || server.core.protocolsHonorOrder !== false
    const order = honorsOrder ? server.protocols : offers
    let chosen: string | null = null
    for (const name of offers) {
      const protocol = protocols.get(name)
      const isPossible =
        name === HTTP_1_1 ||
        (protocol !== undefined &&
          (server.protocols.includes(name) || protocol.isOpenTo?.(connection, server, serverName) === true))
      if (isPossible && (chosen === null || isPreferred(name, chosen, order))) chosen = name
    }
    return chosen
  }
}

/** Listed before others, by place; of two that are not listed, the one that is later in the alphabet. */
function isPreferred(name: string, other: string, order: readonly string[]): boolean {
  const [place, placeOfOther] = [order.indexOf(name), order.indexOf(other)]
  if (place === placeOfOther) return name > other
  if (place < 0 || placeOfOther < 0) return place >= 0
  return place < placeOfOther
}
