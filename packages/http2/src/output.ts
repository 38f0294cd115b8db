import type { Transport, WriteCallback } from '@gatewright/http'
import { ByteWriter } from './byte-writer.ts'
import { ERROR } from './error-codes.ts'
import type { Http2Exchange } from './exchange.ts'
import { FLAG, FRAME, FRAME_HEAD, INITIAL_WINDOW } from './frames.ts'
import { paddingOf, writeBlock, writeTrailerBlock, ZEROS } from './head-block.ts'
import { HpackEncoder } from './hpack/encoder.ts'
import type { Http2Image } from './http2-image.ts'
import { SendQueue } from './send-queue.ts'

/** Bytes that are collected for one write. */
const WRITE_MAX = 64 * 1024

/** With more unsent than this, no further data is framed: it could not be overtaken by anything more urgent. */
const UNSENT_MAX = 128 * 1024

/** What the output needs of its connection. */
export interface OutputOwner {
  /** Ms on the clock of the engine. */
  readonly now: number
  /** The largest frame that the client takes. */
  readonly frameSize: number
  readonly padding: number
  /** An error of this program: nothing more can be sent. */
  broken(error: unknown): void
  /** The end of a response was framed. */
  ended(exchange: Http2Exchange): void
  /** Bytes of data were framed. */
  progressed(bytes: number): void
}

/** What is sent on a connection: frames of one turn of the loop leave in one write. */
export class Output {
  /** Frames that leave with the next write. */
  readonly frames: ByteWriter = new ByteWriter()
  readonly encoder: HpackEncoder = new HpackEncoder()
  /** Bytes that the client may receive on the connection. */
  window: number = INITIAL_WINDOW
  bytesOut = 0
  /** The client states priorities: responses wait for the end of the turn, and more urgent ones overtake them. */
  hasPriorities = false
  readonly #owner: OutputOwner
  readonly #transport: Transport
  readonly #queue: SendQueue<Http2Exchange> = new SendQueue()
  #isScheduled = false
  #isHeld = 0
  /** A write is incomplete, and more is to be sent after it. */
  #waits = false
  #isClosed = false

  constructor(owner: OutputOwner, transport: Transport) {
    this.#owner = owner
    this.#transport = transport
  }

  /** Whether streams wait for the transport or for the window of the connection. */
  get hasWaiting(): boolean {
    return this.#queue.size > 0
  }

  /** Bytes that the client has not taken yet. */
  get unsent(): number {
    return this.#transport.writableLength + this.frames.length
  }

  /** Nothing is sent any more. */
  close(): void {
    this.#isClosed = true
  }

  /** Sends what was collected, and nothing after it. */
  finish(): void {
    if (!this.#isClosed && this.frames.length > 0) this.#write(null)
    this.#isClosed = true
  }

  /** Frames are collected until `release`; calls nest. */
  hold(): void {
    this.#isHeld++
  }

  release(): void {
    this.#isHeld--
    if (this.#isHeld > 0) return
    // What one read brought about waits for the reads of other connections in this turn.
    this.#transport.holdUntilTurnEnd()
    this.flush()
  }

  /** Sends what was collected at the end of this turn of the loop. */
  schedule(): void {
    if (this.#isScheduled || this.#isHeld > 0 || this.#isClosed) return
    this.#isScheduled = true
    setImmediate(flushLater, this)
  }

  /** The stream has data to send. */
  wantsToSend(exchange: Http2Exchange): void {
    this.#queue.add(exchange)
    this.schedule()
  }

  forget(exchange: Http2Exchange): void {
    this.#queue.remove(exchange)
  }

  /** Changes the place of a stream among others. */
  reprioritize(exchange: Http2Exchange, urgency: number, incremental: boolean): void {
    this.hasPriorities = true
    const wasQueued = exchange.isQueued
    this.#queue.remove(exchange)
    exchange.urgency = urgency
    exchange.incremental = incremental
    if (wasQueued) this.#queue.add(exchange)
  }

  /** Writes a header block in as many frames as it needs. @returns its bytes on the wire, as far as responses count them */
  writeHead(stream: number, block: Buffer, flags: number): number {
    return FRAME_HEAD + writeBlock(this.frames, stream, block, flags, paddingOf(this.#owner.padding))
  }

  /** Writes a whole response, if no other one waits and the windows admit its body. @returns whether it was written */
  writeImage(exchange: Http2Exchange, image: Http2Image): boolean {
    const { length } = image.body
    if (!image.isShort || !this.#admitsWhole(exchange, length)) return false
    image.writeFor(exchange.id, this.frames)
    exchange.bytesSent += image.bytes.length - FRAME_HEAD - length
    this.#wholeWritten(exchange, length)
    return true
  }

  /** Writes the whole body of a response, if no other one waits and the windows admit it. @returns whether it was written */
  writeWhole(exchange: Http2Exchange, body: Buffer): boolean {
    const { length } = body
    if (!this.#admitsWhole(exchange, length)) return false
    this.frames.frame(length, FRAME.data, FLAG.endStream, exchange.id)
    this.frames.chunk(body)
    this.#wholeWritten(exchange, length)
    return true
  }

  #admitsWhole(exchange: Http2Exchange, length: number): boolean {
    if (this.hasPriorities || this.#queue.size > 0 || this.frames.length >= WRITE_MAX || this.unsent >= UNSENT_MAX) return false
    return this.#owner.padding === 0 && length <= Math.min(exchange.sendWindow, this.window, this.#owner.frameSize)
  }

  #wholeWritten(exchange: Http2Exchange, length: number): void {
    exchange.sendWindow -= length
    this.window -= length
    exchange.bytesSent += FRAME_HEAD + length
    this.schedule()
    if (length > 0) this.#owner.progressed(length)
    this.#owner.ended(exchange)
  }

  /** Sends what was collected, and as much data as may be sent now. */
  flush(): void {
    this.#isScheduled = false
    if (this.#isClosed || this.#isHeld > 0) return
    this.#isHeld++
    try {
      this.#frameData()
    } catch (error) {
      this.#owner.broken(error)
    }
    this.#isHeld--
    if (this.#isClosed || this.frames.length === 0) return
    const hasMore = this.#queue.size > 0 && this.window > 0
    if (hasMore && !this.#waits) {
      this.#waits = true
      this.#write(this.#written)
    } else this.#write(null)
  }

  #write(done: WriteCallback | null): void {
    const bytes = this.frames.copy()
    this.frames.clear()
    this.bytesOut += bytes.length
    this.#transport.write(bytes, done)
  }

  /** All pending writes are complete. */
  drained(): void {
    this.#waits = false
    if (this.#queue.size > 0) this.flush()
  }

  readonly #written = (error?: Error | null): void => {
    this.#waits = false
    if (!error) this.flush()
  }

  #frameData(): void {
    const queue = this.#queue
    let sent = 0
    while (this.frames.length < WRITE_MAX && this.unsent < UNSENT_MAX) {
      const exchange = queue.first()
      if (exchange === null) break
      const waiting = exchange.outgoing.length
      if (waiting > 0 && exchange.sendWindow <= 0) {
        // A WINDOW_UPDATE brings it back.
        queue.remove(exchange)
        continue
      }
      if (waiting > 0 && this.window <= 0) break
      sent += this.#frameOf(exchange, waiting)
    }
    if (sent > 0) this.#owner.progressed(sent)
  }

  /** Frames the next piece of a stream. */
  #frameOf(exchange: Http2Exchange, waiting: number): number {
    const { frames } = this
    const padding = paddingOf(this.#owner.padding)
    const room = Math.min(exchange.sendWindow, this.window, this.#owner.frameSize - padding)
    // A window may be negative (RFC 9113 section 6.9.2); the end of a stream needs none.
    const count = Math.max(0, Math.min(waiting, room))
    const isLast = exchange.lastPart && count === waiting
    const endsHere = isLast && exchange.trailerLines === ''
    if (count === 0 && !endsHere) {
      if (isLast) this.#endWithTrailers(exchange)
      else this.#queue.remove(exchange)
      return 0
    }
    const isPadded = padding > 0 && count + padding <= Math.min(exchange.sendWindow, this.window) && count > 0
    const length = isPadded ? count + padding : count
    frames.frame(length, FRAME.data, (endsHere ? FLAG.endStream : 0) | (isPadded ? FLAG.padded : 0), exchange.id)
    if (isPadded) frames.byte(padding - 1)
    exchange.outgoing.move(count, frames)
    if (isPadded) frames.chunk(ZEROS, 0, padding - 1)
    exchange.sendWindow -= length
    this.window -= length
    exchange.bytesSent += FRAME_HEAD + length
    exchange.progressAt = this.#owner.now
    if (endsHere) {
      this.#queue.remove(exchange)
      this.#owner.ended(exchange)
      return length
    }
    if (isLast) this.#endWithTrailers(exchange)
    else if (count === waiting) {
      this.#queue.remove(exchange)
      exchange.drained()
    } else {
      this.#queue.sent(exchange)
      exchange.drained()
    }
    return length
  }

  #endWithTrailers(exchange: Http2Exchange): void {
    const block = new ByteWriter(256)
    writeTrailerBlock(block, this.encoder, exchange.trailerLines)
    exchange.bytesSent += this.writeHead(exchange.id, block.bytes, FLAG.endStream)
    this.#queue.remove(exchange)
    this.#owner.ended(exchange)
  }

  /** Ends a stream with a code. */
  writeReset(stream: number, code: number): void {
    this.frames.frame(4, FRAME.rstStream, 0, stream)
    this.frames.uint32(code)
    this.schedule()
  }

  writeWindowUpdate(stream: number, count: number): void {
    this.frames.frame(4, FRAME.windowUpdate, 0, stream)
    this.frames.uint32(count)
    this.schedule()
  }

  writeGoaway(lastStream: number, code: number, text = ''): void {
    this.frames.frame(8 + text.length, FRAME.goaway, 0, 0)
    this.frames.uint32(lastStream)
    this.frames.uint32(code)
    this.frames.text(text)
    if (code === ERROR.none) this.schedule()
  }
}

function flushLater(output: Output): void {
  output.flush()
}
