import type { LayerSink, Server } from '@gatewright/api'
import type { SocketLayer, SuccessorBegin } from '@gatewright/http'
import { ConnectionRecord } from '../model/connection-record.ts'
import { HTTP_1_1, ServerRecord } from '../model/server-record.ts'
import type { ProviderRegistry } from '../modules/provider-registry.ts'
import type { CoreLog } from '../services/error-log.ts'
import { abandonConnection } from './abandon-connection.ts'
import { H2, type Http2Starter } from './http2-starter.ts'
import type { SpokenProtocols } from './spoken-protocols.ts'

/**
 * Offers each socket to the layers of modules, in the order of their registration, and then to the protocols that replace
 * HTTP/1.1; null without any.
 */
export function openLayers(
  { connectionLayers }: ProviderRegistry,
  http2: Http2Starter,
  spoken: SpokenProtocols,
  log: CoreLog,
): SocketLayer | null {
  const layers = connectionLayers.names().flatMap((name) => connectionLayers.get(name) ?? [])
  if (layers.length === 0 && !spoken.mayReplaceHttp) return null
  const insteadOfHttp = (server: Server): SuccessorBegin | null =>
    server instanceof ServerRecord ? spoken.insteadOfHttp(server) : null
  return (socket, connection, end) => {
    const { data } = connection
    // A connection that is refused is closed without being read.
    if (!(data instanceof ConnectionRecord) || data.refused) return false
    const speak: LayerSink['speak'] = (name, upper, server = data.baseServer) => {
      const settings = name === H2 ? http2.settingsOf(server) : null
      if (settings !== null) return end.succeed(upper, http2.begin(server, settings, null))
      try {
        const begin = name === HTTP_1_1 ? insteadOfHttp(server) : spoken.begin(name)
        if (begin === null) end.ready(upper, null)
        else end.succeed(upper, begin)
      } catch (error) {
        abandonConnection(connection, log, `the protocol ${name} could not be spoken`, error)
      }
    }
    const ready: LayerSink['ready'] = (upper, received, scheme) => {
      data.scheme = scheme ?? null
      end.ready(upper, received)
    }
    try {
      if (layers.some((layer) => layer.open(socket, data, { ready, speak }))) return true
      const begin = insteadOfHttp(data.baseServer)
      if (begin !== null) end.succeed(socket, begin)
      return begin !== null
    } catch (error) {
      abandonConnection(connection, log, 'a connection could not be opened', error)
      return true
    }
  }
}
