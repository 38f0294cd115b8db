import type { FilteredBody } from '@gatewright/api'
import type { Codec } from './codec.ts'

/**
 * Passes a body through a codec. As in httpd, the result is complete bytes if the codec returns at most one
 * buffer before the end of its input, however much follows then; otherwise it is a stream.
 * @param bufferSize bytes
 * @param ended called after everything has been recoded
 * @throws the error of the codec, if it occurs before the result is returned
 */
export async function recode(
  source: AsyncIterator<Uint8Array>,
  codec: Codec,
  bufferSize: number,
  ended: () => void,
): Promise<FilteredBody> {
  const made: Buffer[] = []
  for (;;) {
    const next = await source.next()
    made.push(...(next.done === true ? await codec.end() : await codec.write(next.value)))
    if (next.done === true) {
      ended()
      return Buffer.concat(made)
    }
    if (codec.bytesOut > bufferSize) return rest(made, source, codec, ended)
  }
}

async function* rest(
  made: readonly Buffer[],
  source: AsyncIterator<Uint8Array>,
  codec: Codec,
  ended: () => void,
): AsyncGenerator<Uint8Array> {
  yield* made
  for (;;) {
    const next = await source.next()
    yield* next.done === true ? await codec.end() : await codec.write(next.value)
    if (next.done !== true) continue
    ended()
    return
  }
}

/** A body, split into pieces of at most `size` bytes. */
export async function* piecesOf(body: FilteredBody, size: number): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) return yield* slices(body, size)
  for await (const chunk of body) yield* slices(chunk, size)
}

function* slices(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
