import type { ConnectionSettings, EngineHost, Exchange, HttpEngine, MemoryTransport } from '@gatewright/http'
import { responseHead, SETTINGS } from '../../packages/http/test/harness.ts'
import type { Reading, ReadMessage } from './reading.ts'
import { piecesOf } from './stream.ts'

/** What a build of packages/http exports, a planted one as well. */
export interface EngineModule {
  readonly HttpEngine: typeof HttpEngine
  readonly MemoryTransport: typeof MemoryTransport
}

const NO_CONTENT = responseHead({ status: 204 })
const BAD_REQUEST = responseHead({ status: 400, persistent: false })

/** Reads streams with our engine as a server does, on a connection in memory. */
export class EngineReader implements EngineHost {
  readonly #module: EngineModule
  readonly #engine: HttpEngine
  readonly #settings: ConnectionSettings
  #reading: Reading
  /** How much of the stream the messages so far have used. */
  #used: number

  /** @param settings that are not the standard ones */
  constructor(module: EngineModule, settings: Partial<ConnectionSettings> = {}) {
    this.#module = module
    this.#settings = { ...SETTINGS, ...settings }
    this.#engine = new module.HttpEngine(this)
    this.#reading = { messages: [], fault: '' }
    this.#used = 0
  }

  read(bytes: Buffer, cuts: readonly number[]): Reading {
    const reading: Reading = { messages: [], fault: '' }
    this.#reading = reading
    this.#used = 0
    const transport = new this.#module.MemoryTransport()
    const connection = this.#engine.inject(transport)
    for (const piece of piecesOf(bytes, cuts)) transport.feed(piece)
    if (transport.ended && reading.fault === '') reading.fault = 'closed'
    connection.destroy()
    return reading
  }

  onConnection(): ConnectionSettings {
    return this.settings()
  }

  settings(): ConnectionSettings {
    return this.#settings
  }

  onRequest(exchange: Exchange): void {
    if (exchange.refusal !== null) {
      this.#refuse(exchange, `${exchange.refusal.status} ${exchange.refusal.log?.code ?? ''}`)
      return
    }
    const message: ReadMessage = {
      method: exchange.method,
      target: exchange.target,
      version: `${Math.floor(exchange.version / 1000)}.${exchange.version % 1000}`,
      fields: [...exchange.fields].flat(),
      persistent: false,
      body: '',
      trailers: [],
      end: -1,
    }
    this.#reading.messages.push(message)
    exchange.readBody({
      onData(chunk) {
        message.body += chunk.toString('latin1')
      },
      onEnd: () => {
        this.#used += exchange.bytesReceived
        message.end = this.#used
        message.trailers = exchange.trailers === null ? [] : [...exchange.trailers].flat()
        exchange.respond(NO_CONTENT, null, null)
      },
      onError: (refusal) => this.#refuse(exchange, `${refusal.status} ${refusal.log?.code ?? ''} in the body`),
    })
    message.persistent ||= exchange.persistencePossible
  }

  #refuse(exchange: Exchange, fault: string): void {
    this.#reading.fault = fault
    exchange.respond(BAD_REQUEST, null, null)
  }
}
