import { ConnectionError, ERROR } from './error-codes.ts'
import { FLAG } from './frames.ts'

/** Bytes of a header block, and frames that may continue it (CVE-2024-28182). */
const BLOCK_MAX = 128 * 1024
const CONTINUATIONS_MAX = 8

/** A header block that is incomplete: CONTINUATION frames follow. */
export class OpenBlock {
  readonly stream: number
  readonly endsStream: boolean
  readonly #parts: Buffer[]
  #length: number

  /** @param first the fragment of the HEADERS frame, which is copied */
  constructor(stream: number, endsStream: boolean, first: Buffer) {
    this.stream = stream
    this.endsStream = endsStream
    this.#parts = [Buffer.from(first)]
    this.#length = first.length
  }

  /** Adds a copy of a fragment. @throws ConnectionError if the block gets too long */
  add(fragment: Buffer): void {
    this.#parts.push(Buffer.from(fragment))
    this.#length += fragment.length
    if (this.#parts.length > CONTINUATIONS_MAX + 1 || this.#length > BLOCK_MAX) {
      throw new ConnectionError(ERROR.enhanceYourCalm, 'too many CONTINUATION frames')
    }
  }

  /** The complete block. */
  join(): Buffer {
    return Buffer.concat(this.#parts, this.#length)
  }
}

/** Where the content of a frame that may be padded ends. @throws ConnectionError */
export function contentEnd(flags: number, bytes: Buffer, start: number, end: number): number {
  if ((flags & FLAG.padded) === 0) return end
  if (end === start) throw new ConnectionError(ERROR.frameSize, 'a padded frame without its length')
  const length = bytes[start]
  if (length > end - start - 1) throw new ConnectionError(ERROR.protocol, 'more padding than frame')
  return end - length
}

/** Where the content of a DATA frame begins. */
export function dataStart(flags: number, start: number): number {
  return (flags & FLAG.padded) === 0 ? start : start + 1
}

/** Where the fragment of a HEADERS frame begins, after its priority. @throws ConnectionError */
export function fragmentStart(flags: number, start: number, contentEnd: number): number {
  const from = dataStart(flags, start)
  if ((flags & FLAG.priority) === 0) return from
  if (contentEnd - from < 5) throw new ConnectionError(ERROR.frameSize, 'HEADERS: too short for its priority')
  return from + 5
}
