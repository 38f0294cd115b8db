import { ETAG_DIGEST, ETAG_INODE, ETAG_MTIME, ETAG_NONE, ETAG_SIZE, type EtagBits } from '../../base/etag-bits.ts'

const BITS: Readonly<Record<string, number>> = { inode: ETAG_INODE, mtime: ETAG_MTIME, size: ETAG_SIZE, digest: ETAG_DIGEST }
const ALL = ETAG_INODE | ETAG_MTIME | ETAG_SIZE

/**
 * Parses the words of a FileETag line: whole words form a set, in place of everything before the line; signed ones
 * change the inherited set, and whole words discard those before them.
 */
export function parseEtagWords(words: readonly string[], before: EtagBits): EtagBits | string {
  let { set, add, remove } = before
  let isFirst = true
  for (const word of words) {
    const sign = word[0] === '+' || word[0] === '-' ? word[0] : ''
    const name = (sign === '' ? word : word.slice(1)).toLowerCase()
    if (sign === '') {
      if (isFirst) set = 0
      isFirst = false
      add = 0
      remove = 0
    }
    if (name === 'none' || name === 'all') {
      if (sign !== '') return `FileETag keyword '${word.slice(1)}' cannot be used with '+' or '-'`
      set = name === 'none' ? ETAG_NONE : ALL
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
