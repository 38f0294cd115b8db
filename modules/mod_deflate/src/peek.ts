/** The first bytes of a stream, and the complete stream. */
export interface Peeked {
  /** At least as many bytes as requested, unless the stream is shorter. */
  readonly head: Uint8Array
  readonly whole: AsyncGenerator<Uint8Array>
}

/** Reads the first `count` bytes of a stream, without removing them from the stream. */
export async function peek(source: AsyncGenerator<Uint8Array>, count: number): Promise<Peeked> {
  let head = Buffer.alloc(0)
  while (head.length < count) {
    const next = await source.next()
    if (next.done === true) break
    head = Buffer.concat([head, next.value])
  }
  return { head, whole: withHead(head, source) }
}

async function* withHead(head: Uint8Array, source: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  yield* source
}
