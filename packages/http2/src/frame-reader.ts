import type { Input } from '@gatewright/http/messages'
import { ConnectionError, ERROR } from './error-codes.ts'
import { FRAME, FRAME_HEAD, FRAME_SIZE, PREFACE } from './frames.ts'

/** Takes the frames of a connection, complete ones. */
export interface FrameSink {
  /** The payload is `bytes` from `start` to `end`, valid only during the call. @throws ConnectionError */
  onFrame(type: number, flags: number, stream: number, bytes: Buffer, start: number, end: number): void
}

/** Splits the input of a connection into frames. */
export class FrameReader {
  readonly #sink: FrameSink
  #expectsPreface: boolean
  #expectsSettings = true

  /** @param preface whether the client's preface is still to come */
  constructor(sink: FrameSink, preface: boolean) {
    this.#sink = sink
    this.#expectsPreface = preface
  }

  /**
   * Passes on the complete frames of the input, as long as `mayContinue` agrees.
   * @returns false if it did not
   * @throws ConnectionError
   */
  read(input: Input, mayContinue: () => boolean): boolean {
    if (this.#expectsPreface && !this.#readPreface(input)) return true
    while (input.length >= FRAME_HEAD) {
      if (!mayContinue()) return false
      const { bytes, start } = input
      const length = (bytes[start] << 16) | (bytes[start + 1] << 8) | bytes[start + 2]
      if (length > FRAME_SIZE) throw new ConnectionError(ERROR.frameSize, 'too large frame size')
      const type = bytes[start + 3]
      if (this.#expectsSettings) this.#checkFirst(type, bytes[start + 4])
      if (input.length < FRAME_HEAD + length) return true
      this.#expectsSettings = false
      const stream =
        (((bytes[start + 5] & 0x7f) << 24) | (bytes[start + 6] << 16) | (bytes[start + 7] << 8) | bytes[start + 8]) >>> 0
      const payload = start + FRAME_HEAD
      this.#sink.onFrame(type, bytes[start + 4], stream, bytes, payload, payload + length)
      input.skip(FRAME_HEAD + length)
    }
    return true
  }

  #readPreface(input: Input): boolean {
    const count = Math.min(input.length, PREFACE.length)
    for (let i = 0; i < count; i++) {
      if (input.bytes[input.start + i] !== PREFACE[i]) throw new ConnectionError(ERROR.protocol, 'invalid connection preface')
    }
    if (count < PREFACE.length) return false
    input.skip(PREFACE.length)
    this.#expectsPreface = false
    return true
  }

  /** RFC 9113 section 3.4: settings come first. */
  #checkFirst(type: number, flags: number): void {
    if (type === FRAME.settings && (flags & 1) === 0) return
    throw new ConnectionError(ERROR.protocol, 'Remote peer returned unexpected data while we expected SETTINGS frame')
  }
}
