import { systemError } from '../dbm-error.ts'
import { childOf, DEEPEST_MASK, type Place } from './directory.ts'
import { sdbmHash } from './hash.ts'
import type { SdbmPage } from './page.ts'

/**
 * What an insertion changes: the page of the record, the halves that were split off before, and their
 * directory bits.
 */
export interface Room {
  readonly number: number
  readonly page: SdbmPage
  readonly split: readonly (readonly [number: number, page: SdbmPage])[]
  readonly bits: readonly number[]
}

/**
 * Keys that agree in more bits than this number of splits examines cannot be separated: SDBM reports an
 * error.
 */
const MOST_SPLITS = 10

/**
 * Splits the page of a place until the record fits. Each split uses one more bit of the hash: records with a
 * set bit move to a new page, whose number has that bit too.
 * @throws DbmError 28 if ten splits are not enough
 */
export function makeRoom(page: SdbmPage, place: Place, hash: number, key: Buffer, value: Buffer): Room {
  const ENOSPC = 28
  const split: [number, SdbmPage][] = []
  const bits: number[] = []
  let { page: number, bit, mask } = place
  let current = page
  while (!current.fits(key, value)) {
    if (bits.length === MOST_SPLITS || mask >= DEEPEST_MASK)
      throw systemError(ENOSPC, `no room after ${bits.length} splits of SDBM page ${place.page}`)
    const next = mask + 1
    const full = current
    const hasBit = (record: number): boolean => (sdbmHash(full.key(record)) & next) !== 0
    const upper = full.select(hasBit)
    const lower = full.select((record) => !hasBit(record))
    bits.push(bit)
    if ((hash & next) === 0) {
      split.push([number + next, upper])
      current = lower
    } else {
      split.push([number, lower])
      current = upper
      number += next
    }
    bit = childOf(bit, mask, hash)
    mask += next
  }
  return { number, page: current, split, bits }
}
