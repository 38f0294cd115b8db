import { driverError } from '../dbm-error.ts'
import type { FileBytes } from '../file-bytes.ts'
import { BLOCK_SIZE_OFFSET, DIRECTORY_OFFSET, type GdbmLayout, OFFSETS_32, OFFSETS_64, readOffset } from './layout.ts'

/** The properties of a file that do not depend on its content. */
export interface GdbmKind {
  readonly magic: number
  readonly layout: GdbmLayout
  readonly blockSize: number
  readonly bucketSize: number
  /** Elements per bucket. */
  readonly elements: number
  /**
   * The bytes between header and table of free space: the settings for a kind of crash tolerance, or nothing.
   */
  readonly extension: Buffer
}

export interface GdbmHeader extends GdbmKind {
  readonly directory: number
  /** The directory has 2^bits entries. */
  readonly bits: number
}

/** Error numbers of gdbm.h, to which httpd adds 120000. */
export const GDBM_ERROR: {
  readonly fileOpen: number
  readonly fileWrite: number
  readonly fileRead: number
  readonly badMagic: number
  readonly emptyDatabase: number
  readonly byteSwapped: number
  readonly fileEof: number
  readonly badBucket: number
  readonly badHeader: number
  readonly badDirectoryEntry: number
  readonly badHashEntry: number
} = {
  fileOpen: 3,
  fileWrite: 4,
  fileRead: 6,
  badMagic: 7,
  emptyDatabase: 8,
  byteSwapped: 21,
  fileEof: 25,
  badBucket: 32,
  badHeader: 33,
  badDirectoryEntry: 36,
  badHashEntry: 41,
}

/** The old magic number meant the machine's own width. */
const KINDS: ReadonlyMap<number, { readonly layout: GdbmLayout; readonly extension: number }> = new Map([
  [0x13579acd, { layout: OFFSETS_32, extension: 0 }],
  [0x13579ace, { layout: OFFSETS_64, extension: 0 }],
  [0x13579acf, { layout: OFFSETS_64, extension: 0 }],
  [0x13579ad0, { layout: OFFSETS_32, extension: 32 }],
  [0x13579ad1, { layout: OFFSETS_64, extension: 32 }],
])

/** The kind of a new file: what the library creates on file systems with blocks of 4096 bytes. */
export const NEW_KIND: GdbmKind = Object.freeze({
  magic: 0x13579acf,
  layout: OFFSETS_64,
  blockSize: 4096,
  bucketSize: 4096,
  elements: 166,
  extension: Buffer.alloc(0),
})

/** The size with 64-bit offsets. Every valid file is at least this long. */
const HEADER_SIZE = 40

/** No block of any file system is larger. */
const LARGEST_BUCKET = 16 * 1024 * 1024

export function isGdbmMagic(magic: number): boolean {
  return KINDS.has(magic) || KINDS.has(swapped(magic))
}

/**
 * @throws DbmError if the file is not a GDBM file, was written on a machine of the other byte order, or
 *   contradicts its header
 */
export function readHeader(file: FileBytes): GdbmHeader {
  if (file.size === 0) throw driverError(GDBM_ERROR.emptyDatabase, `${file.path} is empty`)
  const bytes = file.read(0, HEADER_SIZE)
  if (bytes === undefined) throw driverError(GDBM_ERROR.fileEof, `${file.path} is too short for a GDBM file`)
  const magic = bytes.readUInt32LE(0)
  const kind = KINDS.get(magic)
  if (kind === undefined) {
    if (KINDS.has(swapped(magic)))
      throw driverError(GDBM_ERROR.byteSwapped, `${file.path} is a GDBM file of the other byte order`)
    throw driverError(GDBM_ERROR.badMagic, `${file.path} is not a GDBM file`)
  }
  const { layout } = kind
  const extension = file.read(layout.headerSize, kind.extension)
  const blockSize = bytes.readUInt32LE(BLOCK_SIZE_OFFSET)
  const directory = readOffset(layout, bytes, DIRECTORY_OFFSET)
  const bits = bytes.readUInt32LE(layout.directoryBits)
  const bucketSize = bytes.readUInt32LE(layout.bucketSize)
  const elements = bytes.readUInt32LE(layout.elementsPerBucket)
  const directorySize = bytes.readUInt32LE(layout.directorySize)
  const consistent =
    bits <= MOST_BITS &&
    directorySize === layout.offsetSize * 2 ** bits &&
    directory + directorySize <= file.size &&
    elements > 0 &&
    elements === Math.floor((bucketSize - layout.elements) / layout.elementSize) &&
    bucketSize <= Math.min(file.size, LARGEST_BUCKET)
  if (!consistent || extension === undefined) throw driverError(GDBM_ERROR.badHeader, `the header of ${file.path} is damaged`)
  return { magic, layout, blockSize, bucketSize, elements, extension: Buffer.from(extension), directory, bits }
}

/** A directory of 2 GiB. */
const MOST_BITS = 28

function swapped(magic: number): number {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(magic)
  return bytes.readUInt32BE()
}
