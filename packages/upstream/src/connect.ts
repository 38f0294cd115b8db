import { Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { ConnectReply } from './connect-reply.ts'
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
  #reply: ConnectReply | null
  readonly #timer: NodeJS.Timeout | null

  constructor(options: PoolOptions, connector: Connector) {
    this.#options = options
    this.#connector = connector
    this.#tls = null
    this.#reply = null
    const limit = options.connectTimeout
    this.#timer = limit === 0 ? null : setTimeout(() => this.#timedOut(), limit)
    this.#socket = new Socket({ allowHalfOpen: true })
    this.#socket.once('error', (error) => this.#socketFailed(error))
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
    const { through } = this.#options
    if (through === undefined || through === null) return this.#secure()
    this.#reply = new ConnectReply(this.#socket, (error) => {
      this.#reply = null
      if (error === null) this.#secure()
      else this.#fail(error)
    })
    this.#socket.write(through.head, 'latin1')
  }

  #secure(): void {
    const { tls: rules } = this.#options
    if (rules === null) return this.#succeed(this.#socket)
    try {
      this.#tls = connectTls({ ...rules.options(), socket: this.#socket })
    } catch (error) {
      // A certificate or key that cannot be used.
      return this.#handshakeFailed(error instanceof Error ? error : new Error(String(error)))
    }
    const tls = this.#tls
    tls.once('error', (error) => this.#handshakeFailed(error))
    // The backend closed the connection instead of answering.
    tls.once('close', () => this.#handshakeFailed(new Error('the connection was closed in the handshake')))
    tls.once('secureConnect', () => {
      const refusal = rules.check(tls)
      if (refusal === null) this.#succeed(tls)
      else this.#fail(new UpstreamError('tls', { detail: refusal }))
    })
  }

  #timedOut(): void {
    if (this.#tls !== null) this.#handshakeFailed(null)
    else if (this.#reply !== null) this.#fail(new UpstreamError('through', { detail: 'timeout' }))
    else this.#fail(new UpstreamError('connect-timeout'))
  }

  #socketFailed(error: Error): void {
    if (this.#tls !== null) this.#handshakeFailed(error)
    else if (this.#reply !== null) this.#fail(new UpstreamError('through', { cause: error }))
    else this.#fail(connectError(error))
  }

  #handshakeFailed(cause: Error | null): void {
    if (this.#connector === null) return
    this.#options.tls?.failed(cause)
    this.#fail(new UpstreamError('tls', { cause, detail: cause?.message ?? 'timeout' }))
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
    // The connection has its owner, who may still read a response after an error of writing.
    if (connector === null) return
    this.giveUp()
    connector.failed(error)
  }

  #close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#reply?.stop()
    this.#tls?.destroy()
    this.#socket.destroy()
  }
}
