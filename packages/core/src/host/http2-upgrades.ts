import type { OptionalFunctions } from '@gatewright/api'
import { allowsHttp2Upgrade } from '@gatewright/api/peers'
import { HeaderFields, hasConnectionOption } from '@gatewright/http/messages'
import type { StreamRequest } from '@gatewright/http2'
import type { Upgrades } from '../lifecycle/upgrade.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { ProtocolSwitch } from '../response/protocol-switch.ts'
import { H2, H2C, type Http2Starter } from './http2-starter.ts'

/** Fields of the request that are about HTTP/1.1. */
const DROPPED: ReadonlySet<string> = new Set([
  ...['connection', 'proxy-connection', 'upgrade', 'keep-alive', 'transfer-encoding', 'http2-settings'],
])

/** A default connection of one priority for all. */
const PRIORITY = { urgency: 3, incremental: true }

/** Requests of HTTP/1.1 that continue as HTTP/2 (RFC 7540 section 3.2), as mod_http2 accepts them. */
export class Http2Upgrades implements Upgrades {
  readonly #starter: Http2Starter
  readonly #functions: OptionalFunctions

  constructor(starter: Http2Starter, functions: OptionalFunctions) {
    this.#starter = starter
    this.#functions = functions
  }

  switchFor(request: RequestRecord, offers: string): ProtocolSwitch | null {
    const { exchange, connection, server } = request
    const name = this.#starter.isSecured(connection) ? H2 : H2C
    const settings = this.#starter.settingsOf(server)
    const fields = exchange?.fields
    if (settings === null || fields === undefined || exchange?.protocolSwitch == null) return null
    if (!server.protocols.includes(name) || !offers.split(',').some((offer) => offer.trim() === name)) return null
    const options = fields.get('connection') ?? ''
    const wanted = fields.get('http2-settings')
    if (!hasConnectionOption(options, 'upgrade') || wanted === undefined || !hasConnectionOption(options, 'http2-settings')) {
      return null
    }
    const length = fields.get('content-length')
    if (length === undefined ? fields.has('transfer-encoding') : length !== '0') return null
    if (this.#functions.get(allowsHttp2Upgrade)?.(request) !== true) return null
    const opening = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${name}\r\nConnection: Upgrade\r\n\r\n`
    return new ProtocolSwitch(
      opening,
      this.#starter.begin(server, settings, { request: streamRequest(exchange), settings: wanted }),
    )
  }
}

type Received = NonNullable<RequestRecord['exchange']>

/** The same request on stream 1. */
function streamRequest(exchange: Received): StreamRequest {
  const { method, target, uri, hostname, hostPort, receivedAt, receivedAtUs } = exchange
  const list: string[] = []
  for (const [name, value] of exchange.fields) if (!DROPPED.has(name.toLowerCase())) list.push(name, value)
  return {
    ...{ method, target, uri, hostname, hostPort, receivedAt, receivedAtUs },
    requestLine: `${method} ${target} HTTP/2.0`,
    fields: HeaderFields.of(list),
    refusal: null,
    contentLength: -1,
    hasBody: false,
    tunnel: null,
    priority: PRIORITY,
    bytes: 0,
  }
}
