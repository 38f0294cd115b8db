import { close, read } from 'node:fs'
import { type FilePart, type FileSent, wireBytes } from '@gatewright/http'
import { ERROR } from './error-codes.ts'
import type { Http2Exchange } from './exchange.ts'
import { type ReadAhead, readAheadOf } from './read-ahead.ts'

/** Bytes read at a time: enough to keep the connection busy until the next block. */
const BLOCK = 256 * 1024

/** With so many bytes left of a block, the next one is read. */
const AHEAD = 32 * 1024

/** Reads ranges of files for a response, one block at a time: the next one when the client's windows have taken the last. */
export class FileReading {
  readonly #exchange: Http2Exchange
  readonly #parts: readonly FilePart[]
  readonly #done: FileSent
  readonly #ahead: ReadAhead
  /** Bytes of the last block, of which little is left when the next one is read. */
  #granted = 0
  #part = 0
  #offset = 0
  #bodyBytes = 0
  #reading = false
  #over = false

  constructor(exchange: Http2Exchange, parts: readonly FilePart[], done: FileSent) {
    this.#exchange = exchange
    this.#parts = parts
    this.#done = done
    this.#ahead = readAheadOf(exchange.connection.engine)
  }

  start(): void {
    this.#exchange.onDrain = this.#next
    this.#openPart()
    this.#next()
  }

  /** The last byte was sent. */
  sent(): void {
    this.#finish(!this.#exchange.aborted, null)
  }

  readonly #next = (): void => {
    const exchange = this.#exchange
    if (this.#over || this.#reading) return
    if (exchange.aborted) return this.#finish(false, null)
    if (exchange.outgoing.length > AHEAD) return
    while (this.#part < this.#parts.length && this.#offset === this.#parts[this.#part].length) this.#closePart()
    if (this.#part === this.#parts.length) {
      exchange.onDrain = null
      return exchange.finish('', null)
    }
    this.#reading = true
    exchange.connection.engine.readTurns.begin(this.#read)
  }

  readonly #read = (): void => {
    const { connection, aborted, sendWindow } = this.#exchange
    if (aborted) {
      this.#reading = false
      connection.engine.readTurns.end()
      return this.#finish(false, null)
    }
    const part = this.#parts[this.#part]
    this.#ahead.taken(this.#granted)
    const wanted = Math.min(BLOCK, part.length - this.#offset)
    this.#granted = this.#ahead.grant(wanted, Math.min(sendWindow, connection.output.window))
    const block = Buffer.allocUnsafeSlow(this.#granted)
    read(part.fd, block, 0, block.length, part.start + this.#offset, (error, count) => {
      this.#reading = false
      this.#handOn(error, block, count)
      connection.engine.readTurns.end()
    })
  }

  #handOn(error: Error | null, block: Buffer, count: number): void {
    const exchange = this.#exchange
    if (exchange.aborted) return this.#finish(false, null)
    const failure = error ?? this.#faultBehind(count)
    if (failure !== null) {
      this.#over = true
      exchange.connection.reset(exchange, ERROR.internal)
      this.#over = false
      return this.#finish(false, failure)
    }
    this.#offset += count
    this.#write(block.subarray(0, count))
  }

  #faultBehind(count: number): Error | null {
    const { length, fault } = this.#parts[this.#part]
    if (count === 0) return fault?.() ?? new Error('a file ended too early')
    return fault !== undefined && this.#offset + count === length ? fault() : null
  }

  #write(chunk: Buffer | string): void {
    const bytes = typeof chunk === 'string' ? wireBytes(chunk) : chunk
    this.#bodyBytes += bytes.length
    this.#exchange.write(bytes)
  }

  #openPart(): void {
    const prefix = this.#parts[this.#part]?.prefix
    if (prefix !== undefined && prefix.length > 0) this.#write(prefix)
  }

  #closePart(): void {
    const suffix = this.#parts[this.#part].suffix
    if (suffix !== undefined && suffix.length > 0) this.#write(suffix)
    this.#part++
    this.#offset = 0
    this.#openPart()
  }

  #finish(complete: boolean, failure: Error | null): void {
    if (this.#over) return
    this.#over = true
    this.#ahead.taken(this.#granted)
    this.#exchange.onDrain = null
    const closed: number[] = []
    for (const part of this.#parts) {
      if (!part.closeFd || closed.includes(part.fd)) continue
      closed.push(part.fd)
      close(part.fd, IGNORE)
    }
    const unsent = this.#exchange.outgoing.length
    this.#done(complete, failure, Math.max(0, this.#bodyBytes - unsent))
    if (!complete) this.#exchange.breakOff()
  }
}

/** Nothing can be done about a failed close. */
const IGNORE = (): void => {}
