import { wireBytes } from '@gatewright/http'
import type { BodyCut, Delivery, ResponseBody } from './response-body.ts'

const EMPTY = Buffer.alloc(0)

/** A text or bytes in memory. */
export class BytesBody implements ResponseBody {
  readonly #content: Buffer | string

  constructor(content: Buffer | string) {
    this.#content = content
  }

  get length(): number {
    return this.#content.length
  }

  get isDivisible(): boolean {
    return true
  }

  open(): void {}

  send({ request, exchange, head, cut }: Delivery): void {
    const content = cut === null ? this.#content : this.#cut(cut)
    request.bodyBytesSent = content.length
    if (head.end === 'stated') return exchange.respond(head, content, request)
    exchange.begin(head)
    exchange.write(content)
    exchange.finish('', request)
  }

  discard(): void {}

  filtered(): Buffer {
    if (typeof this.#content !== 'string') return this.#content
    return this.#content === '' ? EMPTY : wireBytes(this.#content)
  }

  #cut({ pieces, suffix }: BodyCut): Buffer {
    const content = this.filtered()
    const parts: Buffer[] = []
    for (const { prefix, start, length } of pieces) parts.push(wireBytes(prefix), content.subarray(start, start + length))
    return Buffer.concat([...parts, wireBytes(suffix)])
  }
}
