import { Buffer } from 'node:buffer'
import type { Protocol, ProtocolRequest } from '@gatewright/api'
import { type ClientConnection, SpokenConnection, type Successor, type SuccessorBegin } from '@gatewright/http'
import { hasConnectionOption } from '@gatewright/http/messages'
import type { Upgrades } from '../lifecycle/upgrade.ts'
import { ConnectionRecord } from '../model/connection-record.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { ServerRecord } from '../model/server-record.ts'
import type { ProviderRegistry } from '../modules/provider-registry.ts'
import { ProtocolSwitch } from '../response/protocol-switch.ts'
import type { CoreLog } from '../services/error-log.ts'
import { abandonConnection } from './abandon-connection.ts'

/** The protocols that modules speak: begun by ALPN, by the bytes with which clients begin, or by Upgrade. */
export class SpokenProtocols implements Upgrades {
  readonly #protocols: ProviderRegistry['protocols']
  readonly #log: CoreLog
  /** Those that are recognised by their first bytes, when they are first asked for. */
  #recognised: readonly Recognised[] | null = null
  /** The names of those that may replace HTTP/1.1, when they are first asked for. */
  #replacing: readonly string[] | null = null

  constructor({ protocols }: ProviderRegistry, log: CoreLog) {
    this.#protocols = protocols
    this.#log = log
  }

  /** What connections of a server begin with in the place of HTTP/1.1; null for HTTP/1.1. */
  insteadOfHttp(server: ServerRecord): SuccessorBegin | null {
    const name = this.#replacingNames.find((one) => this.#protocols.get(one)?.replacesHttp?.(server) === true)
    return name === undefined ? null : this.begin(name)
  }

  /** Whether a loaded module may speak another protocol in the place of HTTP/1.1. */
  get mayReplaceHttp(): boolean {
    return this.#replacingNames.length > 0
  }

  get #replacingNames(): readonly string[] {
    return (this.#replacing ??= this.#protocols.names().filter((name) => this.#protocols.get(name)?.replacesHttp !== undefined))
  }

  /** Begins a protocol. @throws Error if no module speaks it */
  begin(name: string): SuccessorBegin {
    const protocol = this.#protocols.get(name)
    if (protocol?.speak === undefined) throw new Error(`no loaded module speaks the protocol ${name}`)
    return beginOf(name, protocol, this.#log)
  }

  /** What clients of a connection may begin with. */
  successorsOf({ data }: ClientConnection): readonly Successor[] {
    this.#recognised ??= this.#protocols.names().flatMap((name) => {
      const opening = this.#protocols.get(name)?.opening
      return opening === undefined || opening.length === 0
        ? []
        : [{ name, opening: Buffer.from(opening), begin: this.begin(name) }]
    })
    if (this.#recognised.length === 0 || !(data instanceof ConnectionRecord)) return NONE
    const { protocols } = data.baseServer
    return this.#recognised.filter(({ name }) => protocols.includes(name))
  }

  switchFor(request: RequestRecord, offers: string): ProtocolSwitch | null {
    const { exchange, server } = request
    if (exchange?.protocolSwitch == null || !hasConnectionOption(exchange.fields.get('connection') ?? '', 'upgrade')) return null
    // What follows the head belongs to the other protocol; a body would be taken for it.
    if (exchange.hasBody && exchange.contentLength !== 0) return null
    for (const offer of offers.split(',')) {
      const name = offer.trim()
      if (!server.protocols.includes(name)) continue
      const protocol = this.#protocols.get(name)
      if (protocol?.speak === undefined || protocol.acceptsUpgrade?.(request) !== true) continue
      const opening = `HTTP/1.1 101 Switching Protocols\r\nUpgrade: ${name}\r\nConnection: Upgrade\r\n\r\n`
      return new ProtocolSwitch(opening, this.begin(name))
    }
    return null
  }
}

interface Recognised extends Successor {
  readonly name: string
}

const NONE: readonly Successor[] = []

function beginOf(name: string, protocol: Protocol, log: CoreLog): SuccessorBegin {
  return (engine, transport, former) => {
    const { data } = former
    if (!(data instanceof ConnectionRecord)) throw new TypeError('the connection was not accepted by this server')
    const spoken = new SpokenConnection(engine, transport, former)
    data.http = spoken
    const serve = ({ method, target, fields = [], body }: ProtocolRequest): ReturnType<SpokenConnection['serve']> =>
      spoken.serve({ protocol: name, method, target, fields, body: body === undefined ? null : Buffer.from(body) })
    // When the connection is this one's.
    setImmediate(() => {
      if (spoken.closed) return
      try {
        protocol.speak?.({ connection: data, stream: spoken.stream, serve })
      } catch (error) {
        abandonConnection(spoken, log, `the protocol ${name} could not be spoken`, error)
      }
    })
    return spoken
  }
}
