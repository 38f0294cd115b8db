import type { ResponseHead, WireImage } from '@gatewright/http'
import { ByteWriter } from './byte-writer.ts'
import { FLAG, FRAME, FRAME_HEAD, FRAME_SIZE } from './frames.ts'
import { eachField, writeBlock } from './head-block.ts'
import { writeIndependentField } from './hpack/encoder.ts'

/**
 * The frames of a small response, which any stream of any connection may get: its header block refers to no dynamic
 * table.
 */
export class Http2Image implements WireImage {
  /** HEADERS and DATA of stream 0, the latter only if there is a body. */
  readonly bytes: Buffer
  readonly status: number
  readonly fields: string
  readonly contentFields: string
  /** The header block. */
  readonly block: Buffer
  readonly body: Buffer
  readonly #dataAt: number

  constructor(head: ResponseHead, body: Buffer) {
    const block = new ByteWriter(HEAD_ROOM)
    writeIndependentField(block, ':status', String(head.status))
    for (const lines of [head.fields, head.contentFields]) {
      eachField(lines, (name, value) => writeIndependentField(block, name, value))
    }
    const frames = new ByteWriter(2 * FRAME_HEAD + block.length + body.length)
    const isEmpty = body.length === 0
    writeBlock(frames, 0, block.bytes, isEmpty ? FLAG.endStream : 0)
    this.#dataAt = frames.length
    if (!isEmpty) {
      frames.frame(body.length, FRAME.data, FLAG.endStream, 0)
      frames.chunk(body)
    }
    this.bytes = frames.bytes
    const headEnd = this.#dataAt
    this.block = block.length > FRAME_SIZE ? block.copy() : this.bytes.subarray(FRAME_HEAD, headEnd)
    this.body = this.bytes.subarray(isEmpty ? headEnd : headEnd + FRAME_HEAD)
    this.status = head.status
    this.fields = head.fields
    this.contentFields = head.contentFields
  }

  /** Whether head and body have a frame each. */
  get isShort(): boolean {
    return this.block.length <= FRAME_SIZE && this.body.length <= FRAME_SIZE
  }

  /** Writes the frames of a short image for a stream, whose windows must admit the body. */
  writeFor(stream: number, into: ByteWriter): void {
    const at = into.length
    into.chunk(this.bytes)
    into.patchStream(at, stream)
    if (this.body.length > 0) into.patchStream(at + this.#dataAt, stream)
  }
}

/** Bytes of a usual head. */
const HEAD_ROOM = 256
