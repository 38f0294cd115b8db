import { close, read } from 'node:fs'
import type { FilePart, FileSent } from '../file-part.ts'
import type { Http1Exchange } from './exchange.ts'

/**
 * Sends ranges of files: reads one block, writes it, and reads the next one when the system has accepted it.
 * So a response needs only one block, even for a slow reader. Because reads are asynchronous, other
 * connections are served in between.
 */
export class FileSender {
  readonly #exchange: Http1Exchange
  readonly #parts: readonly FilePart[]
  readonly #done: FileSent
  /** Bytes that were sent before the body: earlier interim responses, and the head. */
  readonly #before: number
  /** Text to send with the next block. */
  #pending: (Buffer | string)[]
  #block: Buffer | null
  #part: number
  #offset: number

  constructor(exchange: Http1Exchange, head: string, parts: readonly FilePart[], done: FileSent) {
    this.#exchange = exchange
    this.#parts = parts
    this.#done = done
    this.#before = exchange.bytesSent + head.length
    this.#pending = head === '' ? [] : [head]
    this.#block = null
    this.#part = 0
    this.#offset = 0
  }

  start(): void {
    this.#openPart()
    this.#next()
  }

  /** Reads the next block, or finishes. */
  #next(): void {
    if (this.#exchange.aborted) {
      this.#finish(false, null)
      return
    }
    while (this.#part < this.#parts.length && this.#offset === this.#parts[this.#part].length) this.#closePart()
    if (this.#part === this.#parts.length) {
      this.#writeRest()
      return
    }
    this.#exchange.connection.engine.readTurns.begin(this.#read)
  }

  readonly #read = (): void => {
    const { connection, aborted } = this.#exchange
    if (aborted) {
      connection.engine.readTurns.end()
      this.#finish(false, null)
      return
    }
    const part = this.#parts[this.#part]
    const rest = part.length - this.#offset
    this.#block ??= connection.engine.blocks.take(this.#longestPart())
    read(part.fd, this.#block, 0, Math.min(this.#block.length, rest), part.start + this.#offset, this.#onRead)
  }

  readonly #onRead = (error: Error | null, count: number): void => {
    this.#handOn(error, count)
    this.#exchange.connection.engine.readTurns.end()
  }

  #handOn(error: Error | null, count: number): void {
    if (this.#exchange.aborted || this.#block === null) {
      this.#finish(false, null)
      return
    }
    const failure = error ?? this.#faultBehind(count)
    if (failure !== null) {
      // The length was announced, so only the end of the connection shows the client that data is missing.
      this.#exchange.breakOff()
      this.#finish(false, failure)
      return
    }
    this.#offset += count
    this.#writePending(this.#block.subarray(0, count))
  }

  /** The fault if the file ends before its announced length, or if its content turned out to be different. */
  #faultBehind(count: number): Error | null {
    const { length, fault } = this.#parts[this.#part]
    if (count === 0) return fault?.() ?? new Error('a file ended too early')
    return fault !== undefined && this.#offset + count === length ? fault() : null
  }

  /** Sends the head or text before the block together with it, in one system call. */
  #writePending(block: Buffer): void {
    const exchange = this.#exchange
    if (this.#pending.length === 0) {
      exchange.writeRaw(block, this.#onWritten)
      return
    }
    exchange.connection.transport.cork()
    for (const text of this.#pending) exchange.writeRaw(text, null)
    this.#pending = []
    exchange.writeRaw(block, this.#onWritten)
    exchange.connection.transport.uncork()
  }

  readonly #onWritten = (error?: Error | null): void => {
    if (error) this.#finish(false, null)
    else this.#next()
  }

  /** After the last block: a suffix, or the head of a response without content. */
  #writeRest(): void {
    const exchange = this.#exchange
    exchange.connection.transport.cork()
    for (const text of this.#pending) exchange.writeRaw(text, null)
    exchange.connection.transport.uncork()
    this.#finish(true, null)
  }

  #openPart(): void {
    const prefix = this.#parts[this.#part]?.prefix
    if (prefix !== undefined && prefix.length > 0) this.#pending.push(prefix)
  }

  #closePart(): void {
    const suffix = this.#parts[this.#part].suffix
    if (suffix !== undefined && suffix.length > 0) this.#pending.push(suffix)
    this.#part++
    this.#offset = 0
    this.#openPart()
  }

  #longestPart(): number {
    let longest = 0
    for (const part of this.#parts) longest = Math.max(longest, part.length)
    return longest
  }

  #finish(complete: boolean, failure: Error | null): void {
    if (this.#block !== null) this.#exchange.connection.engine.blocks.give(this.#block)
    this.#block = null
    const closed: number[] = []
    for (const part of this.#parts) {
      if (!part.closeFd || closed.includes(part.fd)) continue
      closed.push(part.fd)
      close(part.fd, ignore)
    }
    if (!complete) this.#exchange.remainsIncomplete()
    this.#done(complete, failure, Math.max(0, this.#exchange.bytesSent - this.#before))
    if (complete) this.#exchange.complete()
  }
}

/** Nothing can be done about a failed close. */
function ignore(): void {}
