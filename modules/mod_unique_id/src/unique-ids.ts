import { randomBytes } from 'node:crypto'

/** Length of the random part, which differs between processes; in bytes. */
const ROOT_SIZE = 10
const STAMP_SIZE = 4
const ROOT_END = STAMP_SIZE + ROOT_SIZE

/**
 * Makes identifiers in the format of httpd: the time in seconds, ten random bytes of this process, a counter of 16
 * bits, and 32 bits that httpd fills with the number of a thread. Here they count how often the counter has begun again,
 * so that an identifier is unique however many requests arrive in a second.
 */
export class UniqueIds {
  readonly #bytes: Buffer = Buffer.alloc(ROOT_END + 6)
  #counter: number

  constructor(random: (size: number) => Buffer = randomBytes) {
    random(ROOT_SIZE).copy(this.#bytes, STAMP_SIZE)
    this.#counter = random(2).readUInt16BE(0)
  }

  /**
   * @param ms time of the request, in milliseconds since the epoch
   * @returns 27 characters: the bytes in base64url (RFC 4648 section 5) without padding
   */
  next(ms: number): string {
    const bytes = this.#bytes
    bytes.writeUInt32BE(Math.floor(ms / 1000) % 2 ** 32, 0)
    bytes.writeUInt16BE(this.#counter % 2 ** 16, ROOT_END)
    bytes.writeUInt32BE(Math.floor(this.#counter / 2 ** 16) % 2 ** 32, ROOT_END + 2)
    this.#counter++
    return bytes.toString('base64url')
  }
}
