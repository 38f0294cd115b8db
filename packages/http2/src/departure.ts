import type { Http2Connection } from './connection.ts'
import { ERROR } from './error-codes.ts'
import { FRAME, LARGEST } from './frames.ts'

/** The data of the PING that follows the first GOAWAY. */
const LEAVING = 0x6c656176

/** How a connection ends without losing a stream (RFC 9113 section 6.8). */
export class Departure {
  readonly #connection: Http2Connection
  #hasBegun = false
  #lastStreamSent = false

  constructor(connection: Http2Connection) {
    this.#connection = connection
  }

  /** One of the sides has announced the end. */
  get hasBegun(): boolean {
    return this.#hasBegun
  }

  /** New streams are passed over. */
  get ignoresStreams(): boolean {
    return this.#lastStreamSent
  }

  /** Announces that no further stream is accepted; open ones are completed, and those that are in transit. */
  begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const { lifetime, output } = this.#connection
    const { frames } = output
    output.writeGoaway(LARGEST, ERROR.none)
    frames.frame(8, FRAME.ping, 0, 0)
    frames.uint32(LEAVING)
    frames.uint32(LEAVING)
    output.schedule()
    lifetime.limitLeaving()
  }

  /** The client acknowledges a PING of this side. */
  pingAcknowledged(): void {
    if (this.#hasBegun) this.nameLastStream()
  }

  /** After a round trip, or when time is up: everything that the client sent before it knew has arrived. */
  nameLastStream(): void {
    const { lifetime, output, streams } = this.#connection
    if (this.#lastStreamSent || lifetime.isClosing) return
    this.#lastStreamSent = true
    output.writeGoaway(streams.last, ERROR.none)
    this.closeIfDone()
  }

  /** The client will send nothing more. */
  clientLeaves(): void {
    this.#hasBegun = true
    this.#lastStreamSent = true
    this.closeIfDone()
  }

  /** Called when a stream has ended. */
  closeIfDone(): void {
    const { lifetime, streams } = this.#connection
    if (this.#lastStreamSent && streams.size === 0 && !lifetime.isClosing) this.#connection.closeWhenSent()
  }

  /** GOAWAY, and the end of the connection. */
  atOnce(code: number, text = ''): void {
    const { lifetime, output, streams } = this.#connection
    if (lifetime.isClosing) return
    this.#hasBegun = true
    if (!this.#lastStreamSent || code !== ERROR.none) output.writeGoaway(streams.last, code, text)
    this.#lastStreamSent = true
    this.#connection.closeWhenSent()
  }
}
