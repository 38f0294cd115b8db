import { Duplex } from 'node:stream'
import type { Body, TunnelBody } from '@gatewright/api'
import type { Exchange } from '@gatewright/http'
import { errorMessage } from '../base/error-text.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { SendFailed } from './bodies/response-body.ts'

/** Whether a response ends with a tunnel. */
export function isTunnel(body: Body | null): body is TunnelBody {
  return body !== null && typeof body === 'object' && 'tunnel' in body
}

/** Sends the opening, and gives both directions of the connection to the module. */
export function beginTunnel(
  request: RequestRecord,
  exchange: Exchange,
  { opening, tunnel, isCounted = true }: TunnelBody,
  failed: SendFailed,
): void {
  const client = new ClientStream(request, exchange, isCounted)
  client.on('error', NOTHING)
  try {
    if (!exchange.beginTunnel(opening, client.consumer)) throw new Error('the protocol of the client has no tunnels')
  } catch (error) {
    failed(request, new Error(`the tunnel failed: ${errorMessage(error)}`))
    client.destroy()
  }
  try {
    // A stream that was destroyed has the module release what the tunnel was for.
    tunnel(client)
  } catch (error) {
    failed(request, new Error(`the tunnel failed: ${errorMessage(error)}`))
    client.destroy()
  }
}

/** The connection of a client that speaks another protocol. */
class ClientStream extends Duplex {
  readonly consumer: { onData(chunk: Buffer): void | 'pause'; onEnd(): void; onError(): void }
  readonly #request: RequestRecord
  readonly #exchange: Exchange
  readonly #isCounted: boolean
  readonly #forget: () => void
  #paused = false
  /** The end was passed on; over HTTP/2 it may have to wait for the client's window. */
  #finished = false

  constructor(request: RequestRecord, exchange: Exchange, isCounted: boolean) {
    super({ allowHalfOpen: true })
    this.#request = request
    this.#exchange = exchange
    this.#isCounted = isCounted
    this.consumer = {
      onData: (chunk) => {
        if (this.push(Buffer.from(chunk))) return
        this.#paused = true
        return 'pause'
      },
      onEnd: () => void this.push(null),
      onError: () => void this.destroy(),
    }
    this.#forget = exchange.whenGone(() => void this.destroy())
  }

  override _read(): void {
    if (!this.#paused) return
    this.#paused = false
    this.#exchange.resumeBody()
  }

  override _write(chunk: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    // As in httpd, the log has no size of a tunnel over HTTP/2.
    if (this.#isCounted && !this.#exchange.isStream) this.#request.bodyBytesSent += chunk.length
    const exchange = this.#exchange
    if (exchange.write(chunk) || exchange.aborted) return done()
    exchange.onDrain = () => {
      exchange.onDrain = null
      done()
    }
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#forget()
    this.#finished = !this.#exchange.aborted
    if (this.#finished) this.#exchange.finish('', this.#request)
    done()
    this.destroy()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#forget()
    const exchange = this.#exchange
    if (!exchange.answered && !this.#finished) {
      exchange.breakOff()
      this.#request.responseBroken()
    }
    done(error)
  }
}

const NOTHING = (): void => {}
