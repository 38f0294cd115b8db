/** The bytes of a body in pieces of `size` bytes; the last one may be shorter. */
export async function* fullBuffers(body: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    let from = 0
    while (length + chunk.length - from >= size) {
      const part = chunk.subarray(from, from + size - length)
      from += part.length
      yield Buffer.concat([...parts, part])
      parts = []
      length = 0
    }
    if (from === chunk.length) continue
    // A chunk is valid only until the next one.
    parts.push(Uint8Array.from(chunk.subarray(from)))
    length += chunk.length - from
  }
  if (length > 0) yield Buffer.concat(parts)
}
