import { DbmError, type DbmReader } from '@gatewright/dbm'

/** The hash in a record: the text up to the first colon. Groups for mod_authz_dbm or a comment may follow. */
export function hashOf(value: string): string {
  return value.split(':', 1)[0]
}

/** Reading all records of a larger database would delay other clients. */
const LARGEST_READ_WHOLE = 4 * 1024 * 1024

/**
 * The most expensive hash of each open database. It is found by reading all records, once per version and
 * only when an unknown user logs in. For a large database, only hashes that were looked up count.
 */
export class Decoys {
  readonly #known = new WeakMap<DbmReader, string | null>()
  readonly #costliest: (hashes: Iterable<string>) => string | undefined

  /** @param costliest finds the most expensive of several hashes */
  constructor(costliest: (hashes: Iterable<string>) => string | undefined) {
    this.#costliest = costliest
  }

  /** Records a hash that was looked up. */
  saw(reader: DbmReader | undefined, hash: string): void {
    if (reader === undefined || reader.size <= LARGEST_READ_WHOLE) return
    const known = this.#known.get(reader)
    if (known === hash) return
    this.#known.set(reader, this.#costliest(known == null ? [hash] : [known, hash]) ?? null)
  }

  of(reader: DbmReader | undefined): string | undefined {
    if (reader === undefined) return undefined
    let decoy = this.#known.get(reader)
    if (decoy === undefined) {
      if (reader.size > LARGEST_READ_WHOLE) return undefined
      decoy = this.#costliest(hashesOf(reader)) ?? null
      this.#known.set(reader, decoy)
    }
    return decoy ?? undefined
  }
}

/** The hashes up to the first damaged record; users after it cannot log in either. */
function* hashesOf(reader: DbmReader): Iterable<string> {
  try {
    for (const [, value] of reader.entries()) yield hashOf(value.toString('latin1'))
  } catch (error) {
    if (!(error instanceof DbmError)) throw error
  }
}
