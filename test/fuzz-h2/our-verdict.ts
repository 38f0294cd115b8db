import {
  type ConnectionSettings,
  type EngineHost,
  type Exchange,
  HttpEngine,
  MemoryTransport,
  type ResponseHead,
  type Successor,
} from '@gatewright/http'
import type * as engine from '@gatewright/http2'
import { bytesOf, type Conversation, framesOf } from './conversation.ts'
import { type Verdict, verdictOf } from './verdict.ts'

/** The package, or a copy of it with a planted bug. */
export type EngineModule = Pick<typeof engine, 'Http2Connection' | 'HTTP2_PREFACE'>

const SETTINGS: ConnectionSettings = {
  ...{ limitRequestLine: 8190, limitRequestFieldSize: 8190, limitRequestFields: 100, strict: true, scheme: 'http' },
  ...{ methods: null, allowHttp09: false, timeout: 60_000, keepAliveTimeout: 60_000 },
  ...{ handshakeLimit: null, headLimit: null, bodyLimit: null },
}

const RULES = {
  ...{ maxStreams: 100, windowSize: 0, maxDataFrame: 0, maxHeaderBlock: 0, maxStreamErrors: 0, padding: 0, streamTimeout: 0 },
  ...{ webSockets: false, proxyRequests: false, push: false, pushDiarySize: 0 },
}

const HEAD: ResponseHead = {
  ...{ status: 200, reason: 'OK', fields: '', contentFields: '', end: 'stated', keepAlive: null },
  ...{ connectionOptions: null, version: 2000, claimsHttp10: false },
}

/** Turns of the loop without output after which nothing more is to come: every answer of this host is synchronous. */
const QUIET_TURNS = 8

/** Answers every request at once, whatever its fields. */
class Host implements EngineHost {
  readonly #module: EngineModule

  constructor(module: EngineModule) {
    this.#module = module
  }

  onConnection(): ConnectionSettings {
    return SETTINGS
  }

  settings(): ConnectionSettings {
    return SETTINGS
  }

  onRequest(exchange: Exchange): void {
    exchange.respond(HEAD, 'ok', null)
  }

  successorsOf(): readonly Successor[] {
    const { Http2Connection, HTTP2_PREFACE } = this.#module
    return [
      {
        opening: HTTP2_PREFACE,
        begin: (httpEngine, transport, former) => {
          const connection = new Http2Connection(httpEngine, transport, former, {
            ...{ rules: RULES, host: { report() {} }, settings: SETTINGS },
            ...{ isSecured: false, expectsPreface: true, number: 0 },
          })
          connection.begin()
          return connection
        },
      },
    ]
  }
}

/** What our server makes of a conversation. */
export async function ourVerdict(module: EngineModule, conversation: Conversation): Promise<Verdict> {
  const transport = new MemoryTransport()
  const httpEngine = new HttpEngine(new Host(module))
  httpEngine.inject(transport)
  transport.feed(bytesOf(conversation))
  for (let quiet = 0, writes = 0; quiet < QUIET_TURNS; quiet++) {
    await new Promise<void>((resolve) => setImmediate(resolve))
    if (transport.output.length > writes) quiet = 0
    writes = transport.output.length
  }
  const sent = framesOf(Buffer.concat(transport.output))
  httpEngine.close()
  return verdictOf(conversation, sent)
}
