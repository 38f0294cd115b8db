import type { Request, ResponseWriter } from '@gatewright/api'

/** Passes a stream on, and keeps it from its first piece on. What does not arrive whole, or is never read, is forgotten. */
export class StoredStream implements AsyncIterable<Uint8Array> {
  /** Bytes, if the number is known. */
  readonly contentLength: number | undefined
  readonly #source: AsyncIterator<Uint8Array>
  #writer: ResponseWriter | null = null
  #length = 0
  #statedLength = 0

  constructor(request: Request, body: AsyncIterable<Uint8Array>) {
    this.#source = body[Symbol.asyncIterator]()
    this.contentLength = 'contentLength' in body && typeof body.contentLength === 'number' ? body.contentLength : undefined
    request.onDone(() => void this.#forget())
  }

  /** @param statedLength bytes; a shorter body is not whole */
  storeIn(writer: ResponseWriter, statedLength: number): void {
    this.#writer = writer
    this.#statedLength = statedLength
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return { next: () => this.#next(), return: () => this.#return() }
  }

  async #next(): Promise<IteratorResult<Uint8Array>> {
    let next: IteratorResult<Uint8Array>
    try {
      next = await this.#source.next()
    } catch (error) {
      await this.#forget()
      throw error
    }
    if (next.done === true) {
      await this.#end()
      return { done: true, value: undefined }
    }
    this.#length += next.value.length
    if (this.#writer !== null && !(await this.#writer.write(next.value))) this.#writer = null
    // The client may ask again as soon as it has the last byte.
    if (this.#length === this.contentLength) await this.#end()
    return next
  }

  async #return(): Promise<IteratorResult<Uint8Array>> {
    await this.#source.return?.(undefined)
    await this.#forget()
    return { done: true, value: undefined }
  }

  async #end(): Promise<void> {
    if (this.#length < this.#statedLength) return this.#forget()
    const writer = this.#writer
    this.#writer = null
    await writer?.commit()
  }

  async #forget(): Promise<void> {
    const writer = this.#writer
    this.#writer = null
    await writer?.abort()
  }
}
