export const ETAG_MTIME = 1
export const ETAG_INODE = 2
export const ETAG_SIZE = 4
export const ETAG_DIGEST = 8
export const ETAG_NONE = 16

/** The parts of a file that its ETag contains. */
export interface EtagBits {
  /** From whole words; 0 if there is none. */
  readonly set: number
  readonly add: number
  readonly remove: number
}

export const UNSET_ETAG: EtagBits = { set: 0, add: 0, remove: 0 }

/** Whole words replace the outer setting; signed ones change it, and a `+` ends a None. */
export function mergeEtag(base: EtagBits, over: EtagBits): EtagBits {
  if (over.set !== 0) return over
  return {
    set: over.add === 0 ? base.set : base.set & ~ETAG_NONE,
    add: (base.add & ~over.remove) | over.add,
    remove: (base.remove & ~over.add) | over.remove,
  }
}

/** The effective parts. If none is left without a None, these are modification time and size. */
export function effectiveEtag({ set, add, remove }: EtagBits): number {
  const effective = (set & ~remove) | add
  if ((effective & ETAG_NONE) !== 0) return 0
  return effective === 0 ? ETAG_MTIME | ETAG_SIZE : effective
}
