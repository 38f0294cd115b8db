import { createHash } from 'node:crypto'

/** Something to ask for, and the whole body that a right answer has. */
export interface Resource {
  /** Without query: the id of the request is put there. */
  readonly path: string
  readonly body: Buffer
}

const MIB = 1024 * 1024

export const SMALL: Resource = { path: '/small.txt', body: noise('small', 1024) }
export const LARGE: Resource = { path: '/large.bin', body: noise('large', 3 * MIB) }
/** Answered by mod_witness after the milliseconds in its name. */
export const SLOW: Resource = { path: '/slow/400', body: Buffer.from('slow\n') }

/** Bytes without a pattern, the same every time. */
function noise(seed: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(seed).digest()
}
