import type { ConnectionSettings } from '@gatewright/http'
import type { ServerRecord } from './server-record.ts'

/**
 * The settings that the engine receives from a server's directives; httpd's defaults for directives that are
 * not set.
 */
export function connectionSettings(server: ServerRecord): ConnectionSettings {
  const { core } = server
  return {
    limitRequestLine: server.limitRequestLine,
    limitRequestFieldSize: core.limitRequestFieldSize ?? 8190,
    limitRequestFields: core.limitRequestFields ?? 100,
    strict: core.strict ?? true,
    scheme: server.scheme,
    methods: core.registeredMethods === true ? server.methods : null,
    allowHttp09: core.allowHttp09 ?? true,
    timeout: server.timeout > 0 ? server.timeout : 60_000,
    keepAliveTimeout: server.keepAliveTimeout,
    handshakeLimit: server.readLimits?.handshake ?? null,
    headLimit: server.readLimits?.header ?? null,
    bodyLimit: server.readLimits?.body ?? null,
  }
}
