/** A chunk of a body in the engine's form, without a copy. */
export function bytesOf(chunk: string | Uint8Array): Buffer | string {
  if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) return chunk
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}
