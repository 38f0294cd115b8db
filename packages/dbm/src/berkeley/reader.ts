import { DbmError, driverError } from '../dbm-error.ts'
import { FileBytes } from '../file-bytes.ts'
import type { DbmReader } from '../reader.ts'
import { berkeleyHash } from './hash.ts'
import { type BerkeleyMeta, bucketOf, pageOf, readMeta } from './meta.ts'
import { BerkeleyPage } from './page.ts'

/** @throws DbmError: Berkeley DB returns the system's error numbers, and httpd adds 120000 to them */
export function openBerkeley(path: string): DbmReader {
  let file: FileBytes
  try {
    file = new FileBytes(path)
  } catch (error) {
    if (!(error instanceof DbmError)) throw error
    throw driverError(error.code, error.message)
  }
  return readBerkeley(file)
}

/** Reads an open file, and closes it if it cannot be read. */
export function readBerkeley(file: FileBytes): DbmReader {
  try {
    return new BerkeleyReader(file, readMeta(file))
  } catch (error) {
    file.close()
    throw error
  }
}

const EINVAL = 22

/** Distinguishes damage from a read failure, which keeps the system's number. */
const DAMAGE = driverError(EINVAL, '').code

class BerkeleyReader implements DbmReader {
  readonly #file: FileBytes
  readonly #meta: BerkeleyMeta
  #damage: DbmError | undefined

  constructor(file: FileBytes, meta: BerkeleyMeta) {
    this.#file = file
    this.#meta = meta
  }

  get size(): number {
    return this.#file.size
  }

  get damage(): DbmError | undefined {
    return this.#damage
  }

  get(key: Buffer): Buffer | undefined {
    try {
      return this.#find(key)
    } catch (error) {
      if (!(error instanceof DbmError) || error.code !== DAMAGE) throw error
      this.#damage ??= error
      return undefined
    }
  }

  *entries(): Iterable<[Buffer, Buffer]> {
    const meta = this.#meta
    const visited = new Set<number>()
    for (let bucket = 0; bucket <= meta.maxBucket; bucket++) {
      const keys = new Set<string>()
      for (const page of this.#chain(bucket, visited)) {
        for (let record = 0; record < page.records; record++) {
          const key = page.key(record)
          const value = page.value(record)
          if (key === undefined || value === undefined) throw this.#damaged(`record ${record} of a page of bucket ${bucket}`)
          const name = key.toString('latin1')
          if (keys.has(name) || bucketOf(meta, berkeleyHash(key)) !== bucket) throw this.#damaged(`bucket ${bucket}`)
          keys.add(name)
          yield [key, value]
        }
      }
    }
  }

  close(): void {
    this.#file.close()
  }

  #find(key: Buffer): Buffer | undefined {
    const bucket = bucketOf(this.#meta, berkeleyHash(key))
    for (const page of this.#chain(bucket, new Set())) {
      for (let record = 0; record < page.records; record++) {
        const size = page.keySize(record)
        if (size !== key.length && !Number.isNaN(size)) continue
        const stored = page.key(record)
        if (stored === undefined) throw this.#damaged(`key ${record} of a page of bucket ${bucket}`)
        if (!stored.equals(key)) continue
        const value = page.value(record)
        if (value === undefined) throw this.#damaged(`value ${record} of a page of bucket ${bucket}`)
        return value
      }
    }
    return undefined
  }

  /**
   * The pages of a bucket. Each page belongs to one chain and occurs in it once; a page that is reached again
   * is damaged.
   */
  *#chain(bucket: number, visited: Set<number>): Iterable<BerkeleyPage> {
    for (let number = pageOf(this.#meta, bucket); ; ) {
      const page = visited.has(number) ? undefined : BerkeleyPage.read(this.#meta, this.#file, number)
      if (page === undefined) throw this.#damaged(`page ${number}`)
      visited.add(number)
      yield page
      if (page.next === 0) return
      number = page.next
    }
  }

  #damaged(what: string): DbmError {
    return driverError(EINVAL, `${what} of ${this.#file.path} is damaged`)
  }
}
