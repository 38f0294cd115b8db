import { close, read } from 'node:fs'
import type { Exchange } from './exchange.ts'

/** A range of an open file, with text around it: a whole file, or a part of a multipart answer. */
export interface FilePart {
  readonly fd: number
  readonly start: number
  readonly length: number
  /** Close the descriptor when the answer is over, whatever becomes of it. */
  readonly closeFd: boolean
  readonly prefix?: Buffer | string
  readonly suffix?: Buffer | string
  /**
   * Called after the part has been read, before its last bytes are sent: returns why it is not what was
   * announced, or null. Called without `this`.
   */
  readonly fault?: () => Error | null
}

/**
 * Reports whether everything was passed to the system; `failure` is the fault of the file, or null if the
 * connection has closed.
 */
export type FileSent = (complete: boolean, failure: Error | null) => void

/**
 * Sends ranges of files: one block is read, written, and when the system has taken it the next one is read.
 * So a response needs one block, however slow its reader; and as reads are asynchronous, other connections
 * have their turn between two.
 */
export class FileSender {
  readonly #exchange: Exchange
  readonly #parts: readonly FilePart[]
  readonly #done: FileSent
  readonly #persistent: boolean
  /** Text that goes out with the next block. */
  #pending: (Buffer | string)[]
  #block: Buffer | null
  #part: number
  #offset: number

  constructor(exchange: Exchange, head: string, parts: readonly FilePart[], persistent: boolean, done: FileSent) {
    this.#exchange = exchange
    this.#parts = parts
    this.#done = done
    this.#persistent = persistent
    this.#pending = head === '' ? [] : [head]
    this.#block = null
    this.#part = 0
    this.#offset = 0
  }

  start(): void {
    this.#openPart()
    this.#next()
  }

  /** Reads the next block, or ends. */
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
    this.#exchange.connection.readTurns.begin(this.#read)
  }

  readonly #read = (): void => {
    const { connection, aborted } = this.#exchange
    if (aborted) {
      connection.readTurns.end()
      this.#finish(false, null)
      return
    }
    const part = this.#parts[this.#part]
    const rest = part.length - this.#offset
    this.#block ??= connection.blocks.take(this.#longestPart())
    read(part.fd, this.#block, 0, Math.min(this.#block.length, rest), part.start + this.#offset, this.#onRead)
  }

  readonly #onRead = (error: Error | null, count: number): void => {
    this.#handOn(error, count)
    this.#exchange.connection.readTurns.end()
  }

  #handOn(error: Error | null, count: number): void {
    if (this.#exchange.aborted || this.#block === null) {
      this.#finish(false, null)
      return
    }
    const failure = error ?? this.#faultBehind(count)
    if (failure !== null) {
      // The length was announced: only the end of the connection shows the client that data is missing.
      this.#exchange.connection.destroy()
      this.#finish(false, failure)
      return
    }
    this.#offset += count
    this.#writePending(this.#block.subarray(0, count))
  }

  /** There is no more data although more was announced, or the data turned out to be something else. */
  #faultBehind(count: number): Error | null {
    const { length, fault } = this.#parts[this.#part]
    if (count === 0) return fault?.() ?? new Error('a file ended too early')
    return fault !== undefined && this.#offset + count === length ? fault() : null
  }

  /** The head or text before the block leaves in one system call with it. */
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

  /** After the last block: a suffix, or the head of a response without any bytes. */
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
    if (this.#block !== null) this.#exchange.connection.blocks.give(this.#block)
    this.#block = null
    const closed: number[] = []
    for (const part of this.#parts) {
      if (!part.closeFd || closed.includes(part.fd)) continue
      closed.push(part.fd)
      close(part.fd, ignore)
    }
    this.#done(complete, failure)
    if (complete) this.#exchange.complete(this.#persistent)
  }
}

/** Nothing can be done about a failed close. */
function ignore(): void {}
