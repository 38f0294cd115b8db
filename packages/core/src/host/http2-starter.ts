import type { OptionalFunctions, Server } from '@gatewright/api'
import { connectionTls, type Http2Settings, http2SettingsOf } from '@gatewright/api/peers'
import type { ClientConnection, Successor, SuccessorBegin } from '@gatewright/http'
import { HTTP2_PREFACE, Http2Connection, type Http2Host, type StreamRequest } from '@gatewright/http2'
import { ConnectionRecord } from '../model/connection-record.ts'
import { ServerRecord } from '../model/server-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import { isModernTls } from './modern-tls.ts'

/** The names of HTTP/2 in Protocols: over TLS, and in the clear. */
export const H2 = 'h2'
export const H2C = 'h2c'

/** A request of HTTP/1.1 that continues as HTTP/2. */
export interface UpgradedRequest {
  readonly request: StreamRequest
  /** The field HTTP2-Settings. */
  readonly settings: string
}

/** Begins HTTP/2 on connections, where a module says how it is spoken. */
export class Http2Starter {
  readonly #functions: OptionalFunctions
  readonly #host: Http2Host
  #begun = 0
  readonly #settings = new Map<Server, Http2Settings | null>()

  /** @param log that of mod_http2 */
  constructor(functions: OptionalFunctions, log: CoreLog) {
    this.#functions = functions
    this.#host = {
      report: ({ data }, level, code, text) => log.write(data instanceof ConnectionRecord ? data : null, level, code, text),
    }
  }

  /** What clients may begin without asking (H2Direct); null for nothing. */
  readonly successorOf = ({ data }: ClientConnection): Successor | null => {
    if (!(data instanceof ConnectionRecord)) return null
    const server = data.baseServer
    const { protocols } = server
    if (!protocols.includes(H2C) && !protocols.includes(H2)) return null
    const settings = this.settingsOf(server)
    if (settings === null || settings.direct === false) return null
    const isSecured = this.isSecured(data)
    if (!protocols.includes(isSecured ? H2 : H2C)) return null
    return { opening: HTTP2_PREFACE, begin: this.begin(server, settings, null) }
  }

  /** How a server speaks HTTP/2; null if it does not. */
  settingsOf(server: Server): Http2Settings | null {
    const known = this.#settings.get(server)
    if (known !== undefined) return known
    const settings = this.#functions.get(http2SettingsOf)?.(server) ?? null
    this.#settings.set(server, settings)
    return settings
  }

  isSecured(connection: ConnectionRecord): boolean {
    return (this.#functions.get(connectionTls)?.(connection) ?? null) !== null
  }

  /** @param upgraded null unless a request of HTTP/1.1 has asked for it */
  begin(server: Server, settings: Http2Settings, upgraded: UpgradedRequest | null): SuccessorBegin {
    return (engine, transport, former) => {
      const { data } = former
      if (!(data instanceof ConnectionRecord)) throw new TypeError('the connection was not accepted by this server')
      const tls = this.#functions.get(connectionTls)?.(data) ?? null
      const connection = new Http2Connection(engine, transport, former, {
        rules: { ...settings, proxyRequests: settings.proxyRequests ?? false },
        host: this.#host,
        settings: server instanceof ServerRecord ? server.connectionSettings : data.baseServer.connectionSettings,
        isSecured: tls !== null,
        expectsPreface: true,
        number: this.#begun++,
      })
      data.http = connection
      connection.begin()
      if (settings.modernTlsOnly && tls !== null && !isModernTls(tls)) connection.refuseSecurity(`${tls.protocol}, ${tls.cipher}`)
      else if (upgraded !== null) connection.beginWith(upgraded.request, upgraded.settings)
      return connection
    }
  }
}
