import { ByteWriter } from '../../src/byte-writer.ts'
import { HpackDecoder, HpackEncoder } from '../../src/hpack/index.ts'

export type Field = readonly [name: string, value: string]

/** One frame that the server has sent. */
export interface ReceivedFrame {
  readonly type: number
  readonly flags: number
  readonly stream: number
  readonly payload: Buffer
  /** Of HEADERS, decoded. */
  readonly fields: readonly Field[]
}

/** Encodes the header blocks of a client, in the state of its table. */
export class BlockWriter {
  readonly #encoder = new HpackEncoder()

  block(fields: readonly Field[]): Buffer {
    const block = new ByteWriter()
    this.#encoder.begin(block)
    for (const [name, value] of fields) this.#encoder.field(block, name, value)
    return block.copy()
  }
}

/** Splits what a server sends into frames. */
export class FrameParser {
  readonly #decoder = new HpackDecoder()
  #rest: Buffer = Buffer.alloc(0)

  /** @returns the frames that are complete now */
  push(bytes: Buffer): ReceivedFrame[] {
    const all = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    const frames: ReceivedFrame[] = []
    let at = 0
    while (all.length - at >= 9 && all.length - at >= 9 + all.readUIntBE(at, 3)) {
      const end = at + 9 + all.readUIntBE(at, 3)
      const [type, payload] = [all[at + 3], all.subarray(at + 9, end)]
      frames.push({
        type,
        flags: all[at + 4],
        stream: all.readUInt32BE(at + 5),
        payload,
        fields: this.#fieldsOf(type, all[at + 4], payload),
      })
      at = end
    }
    this.#rest = all.subarray(at)
    return frames
  }

  #fieldsOf(type: number, flags: number, payload: Buffer): Field[] {
    const fields: Field[] = []
    if (type !== 1 && type !== 5) return fields
    const isPadded = (flags & 8) !== 0
    const padding = isPadded ? payload[0] : 0
    const start = (type === 5 ? 4 : 0) + (isPadded ? 1 : 0)
    const isDecoded = this.#decoder.decode(payload, start, payload.length - padding, {
      field: (name, value) => fields.push([name, value]),
    })
    if (!isDecoded) throw new Error('the header block of the server cannot be decoded')
    return fields
  }
}

export function frameBytes(type: number, flags: number, stream: number, payload: Buffer | string = ''): Buffer {
  const bytes = typeof payload === 'string' ? Buffer.from(payload, 'latin1') : payload
  const head = Buffer.alloc(9)
  head.writeUIntBE(bytes.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, bytes])
}

export function pseudoFields(method: string, path: string): Field[] {
  return [
    [':method', method],
    [':scheme', 'http'],
    [':authority', 'localhost'],
    [':path', path],
  ]
}

export function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** A short text of a frame: `HEADERS 1 200`, `DATA 1 "text" end`, `GOAWAY PROTOCOL_ERROR`. */
export function describe({ type, flags, stream, payload, fields }: ReceivedFrame): string {
  const end = (flags & 1) !== 0 ? ' end' : ''
  switch (type) {
    case 0:
      return `DATA ${stream} ${payload.length > 40 ? payload.length : `"${payload.toString('latin1')}"`}${end}`
    case 1:
      return `HEADERS ${stream} ${fields.find(([name]) => name === ':status')?.[1] ?? 'trailers'}${end}`
    case 3:
      return `RST_STREAM ${stream} ${payload.readUInt32BE(0)}`
    case 4:
      return (flags & 1) !== 0 ? 'SETTINGS ack' : 'SETTINGS'
    case 5:
      return `PUSH_PROMISE ${stream} ${fields.find(([name]) => name === ':path')?.[1]}`
    case 6:
      return (flags & 1) !== 0 ? 'PING ack' : 'PING'
    case 7:
      return `GOAWAY ${payload.readUInt32BE(4)} last ${payload.readUInt32BE(0)}`
    case 8:
      return `WINDOW_UPDATE ${stream} ${payload.readUInt32BE(0)}`
    default:
      return `type ${type}`
  }
}
