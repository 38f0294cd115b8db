import { driverError } from '../dbm-error.ts'
import type { FileBytes } from '../file-bytes.ts'
import { DIRECTORY_OFFSET, type GdbmLayout, OFFSETS_32, OFFSETS_64, readOffset } from './layout.ts'

export interface GdbmHeader {
  readonly layout: GdbmLayout
  readonly directory: number
  /** The directory has 2^bits entries. */
  readonly bits: number
  readonly bucketSize: number
  readonly elements: number
}

/** Numbers of gdbm.h, to which httpd adds 120000. */
export const GDBM_ERROR: {
  readonly fileOpen: number
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

/** The extended header moves only the table of free space, which reading does not need. The old magic meant the machine's own width. */
const LAYOUTS: ReadonlyMap<number, GdbmLayout> = new Map([
  [0x13579acd, OFFSETS_32],
  [0x13579ace, OFFSETS_64],
  [0x13579acf, OFFSETS_64],
  [0x13579ad0, OFFSETS_32],
  [0x13579ad1, OFFSETS_64],
])

const HEADER_SIZE = 40

export function isGdbmMagic(magic: number): boolean {
  return LAYOUTS.has(magic) || LAYOUTS.has(swapped(magic))
}

/** @throws DbmError if the file is none of GDBM's, or was written on a machine of the other byte order, or cannot be as its header says */
export function readHeader(file: FileBytes): GdbmHeader {
  if (file.size === 0) throw driverError(GDBM_ERROR.emptyDatabase, `${file.path} is empty`)
  const bytes = file.read(0, HEADER_SIZE)
  if (bytes === undefined) throw driverError(GDBM_ERROR.fileEof, `${file.path} is too short for a GDBM file`)
  const magic = bytes.readUInt32LE(0)
  const layout = LAYOUTS.get(magic)
  if (layout === undefined) {
    if (LAYOUTS.has(swapped(magic)))
      throw driverError(GDBM_ERROR.byteSwapped, `${file.path} is a GDBM file of the other byte order`)
    throw driverError(GDBM_ERROR.badMagic, `${file.path} is not a GDBM file`)
  }
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
    bucketSize <= file.size
  if (!consistent) throw driverError(GDBM_ERROR.badHeader, `the header of ${file.path} is damaged`)
  return { layout, directory, bits, bucketSize, elements }
}

/** A directory of 2 GiB. */
const MOST_BITS = 28

function swapped(magic: number): number {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(magic)
  return bytes.readUInt32BE()
}
