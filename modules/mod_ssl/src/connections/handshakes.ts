import type { Socket } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { ciphersBeforeTls13 } from '../cipher-list.ts'
import { beginHandshake, endAfterErrors, permitCiphers, watchHandshakes } from './node-tls.ts'
import type { SessionClients } from './session-clients.ts'

/** Bytes that a client may send during another handshake; its certificates are shorter. */
const LONGEST_FLIGHT = 256 * 1024
/** Milliseconds between looks at them. */
const LOOK_AFTER = 50

/** What a connection of TLS 1.2 is to have after another handshake. */
export interface Renegotiation {
  readonly asksForCertificate: boolean
  readonly requiresCertificate: boolean
  /** OpenSSL's list; undefined to leave the ciphers as they are. */
  readonly cipherList: string | undefined
  /** Milliseconds that the client has for it. */
  readonly timeout: number
}

/** Where the ciphers of connections come from. */
export interface CipherSource {
  readonly context: SecureContext
  /** The option `ciphers` that the context was made with. */
  readonly ciphers: string
  /** Whose sessions may be resumed; null without certificates of clients. */
  readonly clients: SessionClients | null
}

/** Handshakes of a connection after the first one. The server may ask for one in TLS 1.2, the client never. */
export class Handshakes {
  readonly #socket: TLSSocket
  /** Whose bytes are encrypted. */
  readonly #raw: Socket
  readonly #source: CipherSource
  readonly #canAsk: boolean
  #expected = false

  /**
   * @param raw what the socket was made of
   * @param refused called before the connection ends because its client began a handshake
   */
  constructor(socket: TLSSocket, raw: Socket, source: CipherSource, refused: () => void) {
    this.#socket = socket
    this.#raw = raw
    endAfterErrors(socket)
    this.#source = source
    this.#canAsk = watchHandshakes(socket, () => {
      if (this.#expected || socket.destroyed) return
      refused()
      // Not within this call of OpenSSL.
      setImmediate(() => socket.destroy())
    })
    if (!this.#canAsk) socket.disableRenegotiation()
  }

  /** Negotiates again. @returns false after a failure, with the connection closed */
  async renegotiate({ cipherList, timeout, ...certificate }: Renegotiation): Promise<boolean> {
    const socket = this.#socket
    if (!this.#canAsk || socket.destroyed) return this.#close()
    // The rest of the handshake arrives even if the engine reads no further requests now.
    const wasPaused = socket.isPaused()
    if (wasPaused) socket.resume()
    this.#expected = true
    this.#source.clients?.refuse(socket)
    const ended = this.#outcome(timeout)
    try {
      const atHello = cipherList === undefined ? null : (choose: () => void) => this.#chooseFrom(cipherList, choose)
      if (!beginHandshake(socket, { ...certificate, atHello })) socket.destroy()
    } catch {
      // Without secure renegotiation, for example, OpenSSL does not begin another handshake.
      socket.destroy()
    }
    const succeeded = await ended
    this.#source.clients?.end(socket)
    this.#expected = false
    if (!succeeded) return this.#close()
    if (wasPaused) socket.pause()
    return true
  }

  /**
   * A connection has no list of ciphers of its own, but that of its context, which is another one only while
   * OpenSSL chooses: other connections do not come in between.
   */
  #chooseFrom(list: string, choose: () => void): void {
    const { context, ciphers } = this.#source
    try {
      if (!permitCiphers(context, list)) this.#socket.destroy()
      else choose()
    } catch {
      this.#socket.destroy()
    } finally {
      permitCiphers(context, ciphersBeforeTls13(ciphers))
    }
  }

  #outcome(timeout: number): Promise<boolean> {
    const socket = this.#socket
    return new Promise((resolve) => {
      const settle = (succeeded: boolean): void => {
        clearTimeout(timer)
        clearInterval(looks)
        socket.off('secure', onSecure)
        socket.off('close', onFailure)
        socket.off('end', onFailure)
        socket.off('error', onFailure)
        socket.off('pause', onFailure)
        resolve(succeeded)
      }
      const onSecure = (): void => settle(!socket.isSessionReused())
      const onFailure = (): void => settle(false)
      const timer = setTimeout(onFailure, timeout)
      const before = this.#raw.bytesRead
      const looks = setInterval(() => {
        if (this.#raw.bytesRead - before > LONGEST_FLIGHT) onFailure()
      }, LOOK_AFTER)
      socket.on('secure', onSecure)
      socket.on('close', onFailure)
      // A client may end its half alone, after which the connection does not close by itself.
      socket.on('end', onFailure)
      socket.on('error', onFailure)
      // A client that sends requests instead makes the engine stop reading.
      socket.on('pause', onFailure)
    })
  }

  #close(): false {
    this.#socket.destroy()
    return false
  }
}
