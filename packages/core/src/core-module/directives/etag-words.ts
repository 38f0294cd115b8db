import { ETAG_DIGEST, ETAG_INODE, ETAG_MTIME, ETAG_NONE, ETAG_SIZE, type EtagBits } from '../../base/etag-bits.ts'

const BITS: Readonly<Record<string, number>> = { inode: ETAG_INODE, mtime: ETAG_MTIME, size: ETAG_SIZE, digest: ETAG_DIGEST }
const ALL = ETAG_INODE | ETAG_MTIME | ETAG_SIZE

/**
 * Parses the words of a FileETag line: whole words form a set, signed ones change the inherited one; None and
 * All discard signed words before them.
 */
export function parseEtagWords(words: readonly string[], before: EtagBits): EtagBits | string {
  let { set, add, remove } = before
  for (const word of words) {
    const sign = word[0] === '+' || word[0] === '-' ? word[0] : ''
    const name = (sign === '' ? word : word.slice(1)).toLowerCase()
    if (name === 'none' || name === 'all') {
      if (sign !== '') return `FileETag keyword '${word.slice(1)}' cannot be used with '+' or '-'`
      set = name === 'none' ? ETAG_NONE : ALL
      add = 0
      remove = 0
      continue
    }
    const bit = BITS[name]
    if (bit === undefined) return `Unknown keyword '${sign === '' ? word : word.slice(1)}' for FileETag directive`
    if (sign === '+') {
      add |= bit
      remove &= ~bit
    } else if (sign === '-') {
      remove |= bit
      add &= ~bit
    } else set = (set & ~ETAG_NONE) | bit
  }
  return { set, add, remove }
}
