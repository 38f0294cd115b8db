import type { Listener } from '../model/process-config.ts'
import type { ServerRecord } from '../model/server-record.ts'

/**
 * The protocol of a virtual host by the Listen lines: that of the listener with exactly one of its addresses. As
 * in httpd, a listener for any address is not that of a host with one, nor the reverse, and a host without
 * ServerName has none.
 */
export function listenedProtocol({ core, addresses }: ServerRecord, listeners: readonly Listener[]): string {
  if (core.serverName === undefined) return 'http'
  for (const { address, port } of addresses) {
    const found = listeners.find((listener) => listener.port === port && anyAddress(listener.address) === anyAddress(address))
    if (found !== undefined) return found.protocol
  }
  return 'http'
}

function anyAddress(address: string): string {
  return address === '0.0.0.0' || address === '::' ? '*' : address
}
