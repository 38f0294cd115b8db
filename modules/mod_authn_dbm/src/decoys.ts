import { DbmError, type DbmReader } from '@gatewright/dbm'

/** What a record holds up to its first colon; groups for mod_authz_dbm or a comment may follow. */
export function hashOf(value: string): string {
  return value.split(':', 1)[0]
}

/** To read the records of a larger database would hold up other clients. */
const LARGEST_READ_WHOLE = 4 * 1024 * 1024

/**
 * The costliest hash of each open database. All records are read for it, once per version and not before an unknown user wants to log in. Of a large database it is the
 * costliest of those that were looked up.
 */
export class Decoys {
  readonly #known = new WeakMap<DbmReader, string | null>()
  readonly #costliest: (hashes: Iterable<string>) => string | undefined

  /** @param costliest finds the costliest hash among many */
  constructor(costliest: (hashes: Iterable<string>) => string | undefined) {
    this.#costliest = costliest
  }

  /** Takes note of a hash that was looked up. */
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

/** Up to the first damage: users behind it cannot log in either. */
function* hashesOf(reader: DbmReader): Iterable<string> {
  try {
    for (const [, value] of reader.entries()) yield hashOf(value.toString('latin1'))
  } catch (error) {
    if (!(error instanceof DbmError)) throw error
  }
}
