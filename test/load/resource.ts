import { createHash } from 'node:crypto'

/** A requested resource, and the body of a correct answer. */
export interface Resource {
  /** Without query: the id of the request is appended. */
  readonly path: string
  readonly body: Buffer
  /** The status of a right answer; 200 when it is not there. */
  readonly status?: number
  /** Further lines of the request's head. */
  readonly fields?: string
  /** The body of a POST, one piece after the other; without it the request is a GET. */
  readonly upload?: Upload
}

export interface Upload {
  readonly piece: Buffer
  readonly pieces: number
  /** Milliseconds between two pieces. */
  readonly every: number
}

const MIB = 1024 * 1024

export const SMALL: Resource = { path: '/small.txt', body: noise('small', 1024) }
export const LARGE: Resource = { path: '/large.bin', body: noise('large', 3 * MIB) }
/** Answered by mod_witness after the milliseconds in its name. */
export const SLOW: Resource = { path: '/slow/400', body: Buffer.from('slow\n') }
/** A body that takes longer to send than a reload; mod_witness reports how much of it arrived. */
export const UPLOAD: Resource = {
  path: '/upload',
  body: Buffer.from(`${5 * 20_000} bytes\n`),
  upload: { piece: noise('upload', 20_000), pieces: 5, every: 120 },
}

/** Bytes without a pattern, the same every time. */
function noise(seed: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(seed).digest()
}
