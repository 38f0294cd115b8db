import type { Request } from '@gatewright/api'

/** The body of a request, in pieces that a packet can take. */
export class RequestBody {
  readonly #chunks: AsyncIterator<Uint8Array>
  readonly #longest: number
  #rest: Buffer
  #isAtEnd: boolean

  constructor(request: Request, longest: number) {
    this.#chunks = request.readBody()[Symbol.asyncIterator]()
    this.#longest = longest
    this.#rest = Buffer.alloc(0)
    this.#isAtEnd = false
  }

  /** The next piece; an empty one at the end. @throws if the client does not send what it announced */
  async next(): Promise<Buffer> {
    while (this.#rest.length === 0 && !this.#isAtEnd) {
      const next = await this.#chunks.next()
      if (next.done === true) this.#isAtEnd = true
      // A filter may use the bytes of a chunk again.
      else this.#rest = Buffer.from(next.value)
    }
    const piece = this.#rest.subarray(0, this.#longest)
    this.#rest = this.#rest.subarray(piece.length)
    return piece
  }
}
