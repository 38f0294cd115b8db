import { driverError } from '../dbm-error.ts'
import { GDBM_ERROR } from './header.ts'

export interface GdbmRecord {
  readonly hash: number
  readonly key: Buffer
  readonly value: Buffer
}

/** Records whose hashes begin with the same bits. */
export interface PlannedBucket {
  readonly bits: number
  readonly records: readonly GdbmRecord[]
}

const HASH_BITS = 31

/** Directories with more bits exceed 1 GiB. */
const MOST_BITS = 26

/**
 * Distributes records over buckets as splitting full ones would: each bucket has as few bits as its
 * neighbours allow.
 * @param sorted by hash
 * @returns buckets in the order of the directory, of all bits that occur
 * @throws DbmError when too many keys have the same first bits
 */
export function planBuckets(sorted: readonly GdbmRecord[], elements: number): PlannedBucket[] {
  const buckets: PlannedBucket[] = []
  split(sorted, 0, 0)
  return buckets

  function split(records: readonly GdbmRecord[], start: number, bits: number): void {
    if (records.length <= elements) {
      buckets.push({ bits, records })
      return
    }
    if (bits === MOST_BITS) throw driverError(GDBM_ERROR.fileWrite, `the hashes of more than ${elements} keys are too much alike`)
    const middle = start + 2 ** (HASH_BITS - bits - 1)
    const upper = records.findIndex(({ hash }) => hash >= middle)
    const cut = upper < 0 ? records.length : upper
    split(records.slice(0, cut), start, bits + 1)
    split(records.slice(cut), middle, bits + 1)
  }
}
