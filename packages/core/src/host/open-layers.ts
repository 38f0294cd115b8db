import type { SocketLayer } from '@gatewright/http'
import { ConnectionRecord } from '../model/connection-record.ts'
import type { ProviderRegistry } from '../modules/provider-registry.ts'
import type { CoreLog } from '../services/error-log.ts'
import { abandonConnection } from './abandon-connection.ts'

/** Offers each socket to the layers of modules, in the order of their registration; null without any. */
export function openLayers({ connectionLayers }: ProviderRegistry, log: CoreLog): SocketLayer | null {
  const layers = connectionLayers.names().flatMap((name) => connectionLayers.get(name) ?? [])
  if (layers.length === 0) return null
  return (socket, connection, ready) => {
    const { data } = connection
    // A connection that is refused is closed without being read.
    if (!(data instanceof ConnectionRecord) || data.refused) return false
    try {
      return layers.some((layer) => layer.open(socket, data, { ready }))
    } catch (error) {
      abandonConnection(connection, log, 'a connection could not be opened', error)
      return true
    }
  }
}
