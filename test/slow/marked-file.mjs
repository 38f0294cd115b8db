import { createHash } from 'node:crypto'
import { closeSync, createReadStream, ftruncateSync, openSync, writeSync } from 'node:fs'

/** A mark at each multiple of this offset contains the offset, so that data from another position differs. */
const MARK_EVERY = 2 ** 26
const MARK_BYTES = 16
/** Offsets at which 32-bit numbers overflow, signed or unsigned. */
const BOUNDS = [2 ** 31, 2 ** 32]

/** Makes a file that takes up hardly any space: holes, and marks between them, also across the bounds of 32 bits and at the very end. */
export function makeMarkedFile(path, size) {
  const file = openSync(path, 'w')
  ftruncateSync(file, size)
  for (const at of markPlaces(size)) writeSync(file, mark(at), at, 'latin1')
  closeSync(file)
}

/** The file's content from `start` up to, but not including, `end`; both near a mark. */
export function markedBytes(size, start, end) {
  const bytes = Buffer.alloc(end - start)
  for (const at of markPlaces(size)) {
    const text = mark(at)
    for (let i = Math.max(at, start); i < Math.min(at + MARK_BYTES, end); i++) bytes[i - start] = text.charCodeAt(i - at)
  }
  return bytes
}

/** @returns {Promise<string>} the digest of a file */
export async function digestOf(path) {
  const hash = createHash('sha1')
  for await (const chunk of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(chunk)
  return hash.digest('hex')
}

function markPlaces(size) {
  const places = []
  for (let at = 0; at + MARK_BYTES <= size; at += MARK_EVERY) places.push(at)
  for (const bound of BOUNDS) if (bound + MARK_BYTES < size) places.push(bound - MARK_BYTES / 2 - MARK_BYTES)
  places.push(size - MARK_BYTES)
  return places
}

function mark(at) {
  return `<${String(at).padStart(MARK_BYTES - 2, '.')}>`
}
