import { Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import type { PoolOptions } from './pool-options.ts'
import { connectError, UpstreamError } from './upstream-error.ts'

/** Receives the result of an attempt to connect: one of the two calls, and later than `connect` returns. */
export interface Connector {
  connected(socket: Socket): void
  failed(error: UpstreamError): void
}

/** Opens a connection. @returns a function that gives up */
export function connect(options: PoolOptions, connector: Connector): () => void {
  const attempt = new Attempt(options, connector)
  return () => attempt.giveUp()
}

class Attempt {
  readonly #options: PoolOptions
  #connector: Connector | null
  readonly #socket: Socket
  #tls: TLSSocket | null
  readonly #timer: NodeJS.Timeout | null

  constructor(options: PoolOptions, connector: Connector) {
    this.#options = options
    this.#connector = connector
    this.#tls = null
    const limit = options.connectTimeout
    this.#timer = limit === 0 ? null : setTimeout(() => this.#fail(new UpstreamError('connect-timeout')), limit)
    this.#socket = new Socket({ allowHalfOpen: true })
    this.#socket.once('error', (error) => this.#fail(connectError(error)))
    this.#socket.once('connect', () => this.#connected())
    const { target } = options
    if ('path' in target) this.#socket.connect({ path: target.path })
    else {
      this.#socket.setNoDelay(true)
      this.#socket.setKeepAlive(options.keepAlive)
      this.#socket.connect(target)
    }
  }

  giveUp(): void {
    this.#connector = null
    this.#close()
  }

  #connected(): void {
    if (this.#options.tls === null) return this.#succeed(this.#socket)
    try {
      this.#tls = connectTls({ ...this.#options.tls(), socket: this.#socket })
    } catch (error) {
      // A certificate or key that cannot be used.
      return this.#fail(tlsError(error))
    }
    const tls = this.#tls
    tls.once('error', (error) => this.#fail(tlsError(error)))
    // The backend closed the connection instead of answering.
    tls.once('close', () => this.#fail(new UpstreamError('tls', { detail: 'the connection was closed in the handshake' })))
    tls.once('secureConnect', () => this.#secured(tls))
  }

  #secured(tls: TLSSocket): void {
    const refusal = this.#options.checkTls?.(tls) ?? null
    if (refusal !== null) this.#fail(new UpstreamError('tls', { detail: refusal }))
    else this.#succeed(tls)
  }

  #succeed(socket: Socket): void {
    const connector = this.#connector
    if (connector === null) return
    this.#connector = null
    if (this.#timer !== null) clearTimeout(this.#timer)
    connector.connected(socket)
  }

  #fail(error: UpstreamError): void {
    const connector = this.#connector
    this.giveUp()
    connector?.failed(error)
  }

  #close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#tls?.destroy()
    this.#socket.destroy()
  }
}

function tlsError(error: unknown): UpstreamError {
  return error instanceof Error
    ? new UpstreamError('tls', { cause: error, detail: error.message })
    : new UpstreamError('tls', { detail: String(error) })
}
