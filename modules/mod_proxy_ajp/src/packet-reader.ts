import { BAD_HEADER, PacketFault } from './faults.ts'

const HEADER_SIZE = 4

/** Splits what a back end sends into packets. */
export class PacketReader {
  readonly #longest: number
  #rest: Buffer
  #isBodyNext: boolean

  /** @param size the longest packet, with its header */
  constructor(size: number) {
    this.#longest = size - HEADER_SIZE
    this.#rest = Buffer.alloc(0)
    this.#isBodyNext = false
  }

  /** Whether nothing has arrived after the last packet. */
  get isEmpty(): boolean {
    return this.#rest.length === 0
  }

  /** Whether the header of a packet has arrived, but not all of its content. */
  get isInContent(): boolean {
    return this.#isBodyNext
  }

  /** Takes bytes that have arrived. They are valid only during the call, except for the start of a packet. */
  add(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
  }

  /** Copies the start of a packet: its bytes are used again when the call that has passed them on returns. */
  keep(): void {
    this.#rest = Buffer.from(this.#rest)
  }

  /** The content of the next packet; null if it has not arrived completely. @throws PacketFault for what is no packet */
  next(): Buffer | null {
    const rest = this.#rest
    this.#isBodyNext = false
    if (rest.length < HEADER_SIZE) return null
    const magic = rest.readUInt16BE(0)
    // Back ends sign with `AB`. httpd accepts the signature of the server, too.
    if (magic !== 0x4142 && magic !== 0x1234) {
      const shown = magic.toString(16).padStart(4, '0')
      throw badPacket('AH01080', `ajp_msg_check_header() got bad signature ${shown}`)
    }
    const length = rest.readUInt16BE(2)
    if (length > this.#longest) {
      throw badPacket('AH01081', `ajp_msg_check_header() incoming message is too big ${length}, max is ${this.#longest}`)
    }
    if (rest.length < HEADER_SIZE + length) {
      this.#isBodyNext = true
      return null
    }
    this.#rest = rest.subarray(HEADER_SIZE + length)
    return rest.subarray(HEADER_SIZE, HEADER_SIZE + length)
  }
}

function badPacket(code: string, text: string): PacketFault {
  return new PacketFault(
    [
      { code, text, isOfRequest: false },
      { code: 'AH01031', text: 'ajp_ilink_receive() received bad header', isOfRequest: false },
    ],
    BAD_HEADER,
  )
}
