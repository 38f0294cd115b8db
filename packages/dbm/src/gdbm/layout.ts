/**
 * The positions of the fields. GDBM writes its C structures as they are in memory, so that everything depends
 * on the width of a file offset. Positions are bytes from the start of the header, of a bucket, of an
 * element.
 */
export interface GdbmLayout {
  readonly offsetSize: 4 | 8
  readonly directorySize: number
  readonly directoryBits: number
  readonly bucketSize: number
  readonly elementsPerBucket: number
  /** The position of the offset of the end of the file. */
  readonly nextBlock: number
  /** The end of the header without its extension. */
  readonly headerSize: number
  /** The position of the first entry in a table of free space, and the size of an entry. */
  readonly freeEntries: number
  readonly freeEntrySize: number
  readonly bucketBits: number
  readonly bucketCount: number
  readonly elements: number
  readonly elementSize: number
  readonly dataOffset: number
  readonly keySize: number
  readonly valueSize: number
}

/** The same in both layouts: magic number, block size, and the offset of the directory at 8. */
export const DIRECTORY_OFFSET = 8

/** The size of a block, the unit in which files grow. */
export const BLOCK_SIZE_OFFSET = 4

/**
 * An element begins with its hash, -1 if the slot is free, and the first bytes of the key, padded with zeros.
 */
export const KEY_START = 4
export const KEY_START_SIZE = 4

export const OFFSETS_64: GdbmLayout = Object.freeze({
  offsetSize: 8,
  directorySize: 16,
  directoryBits: 20,
  bucketSize: 24,
  elementsPerBucket: 28,
  nextBlock: 32,
  headerSize: 40,
  freeEntries: 16,
  freeEntrySize: 16,
  bucketBits: 104,
  bucketCount: 108,
  elements: 112,
  elementSize: 24,
  dataOffset: 8,
  keySize: 16,
  valueSize: 20,
})

export const OFFSETS_32: GdbmLayout = Object.freeze({
  offsetSize: 4,
  directorySize: 12,
  directoryBits: 16,
  bucketSize: 20,
  elementsPerBucket: 24,
  nextBlock: 28,
  headerSize: 32,
  freeEntries: 12,
  freeEntrySize: 8,
  bucketBits: 52,
  bucketCount: 56,
  elements: 60,
  elementSize: 20,
  dataOffset: 8,
  keySize: 12,
  valueSize: 16,
})

/** Reads a file offset. Above 2^53 the result is inexact, and beyond the end of any file. */
export function readOffset(layout: GdbmLayout, bytes: Buffer, at: number): number {
  const low = bytes.readUInt32LE(at)
  return layout.offsetSize === 4 ? low : bytes.readUInt32LE(at + 4) * 2 ** 32 + low
}

export function writeOffset(layout: GdbmLayout, bytes: Buffer, offset: number, at: number): void {
  bytes.writeUInt32LE(offset % 2 ** 32, at)
  if (layout.offsetSize === 8) bytes.writeUInt32LE(Math.floor(offset / 2 ** 32), at + 4)
}
