import type { LossListener, TroubleListener } from './destination.ts'

/**
 * When lines are written: at the end of each turn of the event loop, or in blocks of 4096 bytes
 * (`BufferedLogs On`).
 */
export type Buffering = 'turn' | 'block'

/** Writes the beginning of a byte string; returns the number of bytes written, throws a system error. */
export type ByteWriter = (text: string) => number

export interface LineBufferOptions {
  readonly target: string
  readonly buffering: Buffering
  readonly write: ByteWriter
  readonly onError: TroubleListener
  readonly onLoss: LossListener
}

/**
 * Collects lines in one string and writes them with one call. While the target accepts nothing, up to 4 MiB
 * are kept and retried periodically; further lines are dropped and counted, so that a full disk or a stalled
 * reader costs log lines, but never requests or memory.
 */
export class LineBuffer {
  readonly #options: LineBufferOptions
  #pending = ''
  #turnArmed = false
  #retry: NodeJS.Timeout | undefined
  #pause = FIRST_PAUSE_MS
  #lastError = new Error('never failed')
  #reported = false
  #dropped = 0
  /** The number of lost lines that were reported. */
  #reportedLosses = 0
  #closed = false

  constructor(options: LineBufferOptions) {
    this.#options = options
  }

  /** Number of lines lost so far. */
  get dropped(): number {
    return this.#dropped
  }

  add(line: string): void {
    if (this.#closed) {
      this.#dropped++
    } else if (this.#retry !== undefined) {
      this.#keepWhileStuck(line)
    } else if (this.#options.buffering === 'block') {
      this.#addToBlock(line)
    } else {
      this.#pending += line
      if (this.#pending.length >= TURN_BYTES) this.drain(this.#options.write)
      else if (!this.#turnArmed) this.#armTurn()
    }
  }

  /** Writes everything now, through the given writer. False if something is left. */
  drain(write: ByteWriter): boolean {
    let text = this.#pending
    const before = text.length
    try {
      while (text !== '') {
        const taken = write(text)
        if (taken === 0) throw new Error('nothing was written')
        text = taken === text.length ? '' : text.slice(taken)
      }
    } catch (error) {
      this.#pending = text
      // A reader that has accepted some data will probably accept more soon.
      if (text.length < before) this.#pause = FIRST_PAUSE_MS
      this.#becomeStuck(error instanceof Error ? error : new Error(String(error)))
      return false
    }
    this.#pending = ''
    this.#endRetries()
    this.#pause = FIRST_PAUSE_MS
    this.#reported = false
    this.#tellLoss()
    return true
  }

  /** Drops the lines that could not be written, and accepts no more. */
  close(): void {
    this.#endRetries()
    this.#dropped += countLines(this.#pending)
    this.#pending = ''
    this.#closed = true
    this.#tellLoss()
  }

  #addToBlock(line: string): void {
    if (this.#pending.length + line.length > BLOCK_BYTES && this.#pending !== '' && !this.drain(this.#options.write)) {
      this.#keepWhileStuck(line)
      return
    }
    this.#pending += line
    if (line.length >= BLOCK_BYTES) this.drain(this.#options.write)
  }

  #armTurn(): void {
    this.#turnArmed = true
    setImmediate(() => {
      this.#turnArmed = false
      if (this.#retry === undefined) this.drain(this.#options.write)
    })
  }

  #keepWhileStuck(line: string): void {
    if (this.#pending.length + line.length <= STUCK_BYTES) {
      this.#pending += line
      return
    }
    this.#dropped++
    this.#report(this.#lastError)
  }

  /** A full pipe is not an error until lines are lost. */
  #becomeStuck(error: Error): void {
    const isFull = 'code' in error && error.code === 'EAGAIN'
    this.#lastError = error
    this.#endRetries()
    // The timer is not referenced: a target that cannot be written to must not keep the process alive.
    this.#retry = setTimeout(() => this.drain(this.#options.write), isFull ? this.#pause : BROKEN_MS).unref()
    this.#pause = Math.min(2 * this.#pause, LONGEST_PAUSE_MS)
    if (!isFull) this.#report(error)
  }

  #report(error: Error): void {
    if (this.#reported) return
    this.#reported = true
    this.#options.onError({ target: this.#options.target, error })
  }

  #tellLoss(): void {
    const lines = this.#dropped - this.#reportedLosses
    if (lines === 0) return
    this.#reportedLosses = this.#dropped
    this.#options.onLoss({ target: this.#options.target, lines })
  }

  #endRetries(): void {
    clearTimeout(this.#retry)
    this.#retry = undefined
  }
}

const TURN_BYTES = 64 * 1024
/** PIPE_BUF, the unit in which httpd collects buffered logs. */
const BLOCK_BYTES = 4096
const STUCK_BYTES = 4 * 1024 * 1024
/** The pause before the next attempt at a full pipe. A busy server fills a pipe in a few milliseconds. */
const FIRST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 64
const BROKEN_MS = 1000

function countLines(text: string): number {
  let lines = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++
  return lines
}
