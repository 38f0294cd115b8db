import { type DbmError, driverError } from '../dbm-error.ts'
import type { FileBytes } from '../file-bytes.ts'
import { BIG_ENDIAN, type ByteOrder, LITTLE_ENDIAN } from './byte-order.ts'
import { berkeleyHash } from './hash.ts'

/** The fields of a hash database's first page that describe its other pages. */
export interface BerkeleyMeta {
  readonly order: ByteOrder
  readonly pageSize: number
  readonly maxBucket: number
  readonly highMask: number
  readonly lowMask: number
  /** What to add to a bucket's number to get that of its page, for each doubling of the table. */
  readonly spares: readonly number[]
}

const HASH_MAGIC = 0x061561
const OTHER_METHODS: ReadonlyMap<number, string> = new Map([
  [0x053162, 'btree'],
  [0x042253, 'queue'],
  [0x074582, 'heap'],
])
const META_SIZE = 512
const HASH_META_PAGE = 8
/**
 * Up to version 7, pages or the hash differ. Pages of version 8 are not sorted, which does not affect a
 * reader that scans them.
 */
const VERSIONS: readonly number[] = [8, 9]

export function isBerkeleyMagic(magic: number): boolean {
  return magic === HASH_MAGIC || OTHER_METHODS.has(magic)
}

/**
 * Rejects what httpd's tools never write: other access methods, other versions, encryption, checksums,
 * partitions, duplicate keys, several databases in a file, a hash function of the application.
 * @throws DbmError 120022, `EINVAL` in Berkeley DB's numbering
 */
export function readMeta(file: FileBytes): BerkeleyMeta {
  const bytes = file.read(0, META_SIZE)
  if (bytes === undefined) throw refused(file, 'is not a Berkeley DB file')
  const order = isBerkeleyMagic(bytes.readUInt32BE(12)) ? BIG_ENDIAN : LITTLE_ENDIAN
  const u32 = (at: number): number => order.u32(bytes, at)

  const magic = u32(12)
  const method = OTHER_METHODS.get(magic)
  if (method !== undefined) throw refused(file, `is a Berkeley DB file of the ${method} method, only hash can be read`)
  if (magic !== HASH_MAGIC) throw refused(file, 'is not a Berkeley DB file')
  if (!VERSIONS.includes(u32(16)))
    throw refused(file, `has version ${u32(16)} of the Berkeley DB hash format, only 8 and 9 can be read`)
  if (bytes[24] !== 0) throw refused(file, 'is encrypted')
  if (bytes[26] !== 0 || u32(36) !== 0) throw refused(file, 'has checksums or partitions')
  if (u32(48) !== 0) throw refused(file, 'has duplicate keys or several databases')
  if (u32(92) !== berkeleyHash(Buffer.from('%$sniglet^&\0', 'latin1'))) throw refused(file, 'has a hash function of its own')

  const pageSize = u32(20)
  const meta: BerkeleyMeta = {
    order,
    pageSize,
    maxBucket: u32(72),
    highMask: u32(76),
    lowMask: u32(80),
    spares: Array.from({ length: 32 }, (_, index) => u32(96 + 4 * index)),
  }
  const consistent =
    bytes[25] === HASH_META_PAGE &&
    pageSize >= META_SIZE &&
    pageSize <= 0x10000 &&
    (pageSize & (pageSize - 1)) === 0 &&
    file.size % pageSize === 0 &&
    (meta.highMask & (meta.highMask + 1)) === 0 &&
    meta.lowMask === meta.highMask >>> 1 &&
    meta.maxBucket <= meta.highMask
  if (!consistent) throw refused(file, 'has a damaged first page')
  return meta
}

/** The number of the bucket that a hash belongs to. */
export function bucketOf(meta: BerkeleyMeta, hash: number): number {
  const bucket = (hash & meta.highMask) >>> 0
  return bucket > meta.maxBucket ? (bucket & meta.lowMask) >>> 0 : bucket
}

/** The number of the first page of a bucket, which may lie outside of a damaged file. */
export function pageOf(meta: BerkeleyMeta, bucket: number): number {
  return bucket + meta.spares[32 - Math.clz32(bucket)]
}

function refused(file: FileBytes, reason: string): DbmError {
  const EINVAL = 22
  return driverError(EINVAL, `${file.path} ${reason}`)
}
