import { OVERFLOW, PacketFault } from './faults.ts'

const HEADER_SIZE = 4
const END = 0xff

/** Writes the content of one packet to a back end, up to its longest length. Texts are latin1. */
export class MessageWriter {
  readonly #bytes: Buffer
  #length: number

  /** @param size the longest packet, with its header */
  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size)
    this.#length = HEADER_SIZE
  }

  /** @throws PacketFault with AH03229 and this code and text, if the packet would be too long */
  uint8(value: number, code: string, text: string): void {
    this.#reserve(1, 'ajp_msg_append_uint8', code, text)
    this.#length = this.#bytes.writeUInt8(value, this.#length)
  }

  uint16(value: number, code: string, text: string): void {
    this.#reserve(2, 'ajp_msg_append_uint16', code, text)
    this.#length = this.#bytes.writeUInt16BE(value, this.#length)
  }

  /** A length, the bytes and a zero byte; null is a length of its own. */
  string(value: string | null, code: string, text: string): void {
    if (value === null) return this.uint16(0xffff, code, text)
    this.#reserve(value.length + 3, 'ajp_msg_append_cvt_string', code, text)
    this.#length = this.#bytes.writeUInt16BE(value.length, this.#length)
    this.#length += this.#bytes.write(value, this.#length, 'latin1')
    this.#length = this.#bytes.writeUInt8(0, this.#length)
  }

  end(code: string, text: string): void {
    this.uint8(END, code, text)
  }

  /** The packet with its header. */
  packet(): Buffer {
    writeHeader(this.#bytes, this.#length - HEADER_SIZE)
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(count: number, step: string, code: string, text: string): void {
    if (this.#length + count <= this.#bytes.length) return
    throw new PacketFault(
      [
        { code: 'AH03229', text: `${step}(): BufferOverflowException ${HEADER_SIZE} ${this.#length}`, isOfRequest: false },
        { code, text: `ajp_marshal_into_msgb: ${text}`, isOfRequest: true },
      ],
      OVERFLOW,
    )
  }
}

/** The packet that asks whether the back end is there. */
export function pingPacket(): Buffer {
  return Buffer.from([0x12, 0x34, 0, 1, 10])
}

/** A packet of a request body; an empty one is its end. */
export function bodyPacket(piece: Uint8Array): Buffer {
  const { length } = piece
  const packet = Buffer.allocUnsafe(HEADER_SIZE + 2 + length)
  writeHeader(packet, 2 + length)
  packet.writeUInt16BE(length, HEADER_SIZE)
  packet.set(piece, HEADER_SIZE + 2)
  return packet
}

/** Bytes of a packet of a body that are none of the body. */
export const BODY_OVERHEAD: number = HEADER_SIZE + 2

function writeHeader(packet: Buffer, length: number): void {
  packet.writeUInt16BE(0x1234, 0)
  packet.writeUInt16BE(length, 2)
}
