export const ETAG_MTIME = 1
export const ETAG_INODE = 2
export const ETAG_SIZE = 4
export const ETAG_DIGEST = 8
export const ETAG_NONE = 16

/** Which parts of a file its ETag is made of. */
export interface EtagBits {
  /** Of whole words; 0 where none stands. */
  readonly set: number
  readonly add: number
  readonly remove: number
}

export const UNSET_ETAG: EtagBits = { set: 0, add: 0, remove: 0 }

/** Whole words take the place of all that was said outside; signed ones change it, and a `+` ends a None. */
export function mergeEtag(base: EtagBits, over: EtagBits): EtagBits {
  if (over.set !== 0) return over
  return {
    set: over.add === 0 ? base.set : base.set & ~ETAG_NONE,
    add: (base.add & ~over.remove) | over.add,
    remove: (base.remove & ~over.add) | over.remove,
  }
}

/** The parts in force. Where none is left, and None was not said, they are modification time and size. */
export function effectiveEtag({ set, add, remove }: EtagBits): number {
  const effective = (set & ~remove) | add
  if ((effective & ETAG_NONE) !== 0) return 0
  return effective === 0 ? ETAG_MTIME | ETAG_SIZE : effective
}
