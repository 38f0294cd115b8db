import type { FilteredBody } from '@gatewright/api'

/** The beginning of a body, and the rest of it. */
export interface BodyInTwo {
  readonly head: Buffer
  readonly rest: AsyncIterator<Uint8Array>
}

/** Reads the beginning of a body: at least a number of bytes, unless the body is shorter. */
export async function readHead(body: FilteredBody, least: number): Promise<BodyInTwo> {
  const rest = piecesOf(body)
  const parts: Uint8Array[] = []
  let length = 0
  while (length < least) {
    const next = await rest.next()
    if (next.done === true) break
    parts.push(next.value)
    length += next.value.length
  }
  return { head: Buffer.concat(parts), rest }
}

async function* piecesOf(body: FilteredBody): AsyncGenerator<Uint8Array> {
  if (!(body instanceof Uint8Array)) return yield* body
  for (let at = 0; at < body.length; at += PIECE) yield body.subarray(at, at + PIECE)
}

const PIECE = 16 * 1024

/** Puts a body together again, with another beginning. */
export async function* withHead({ rest }: BodyInTwo, head: Uint8Array): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head
  for (;;) {
    const next = await rest.next()
    if (next.done === true) return
    yield next.value
  }
}
