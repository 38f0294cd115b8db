import { driverError } from '../dbm-error.ts'
import { gdbmHash } from './hash.ts'
import { GDBM_ERROR, type GdbmKind } from './header.ts'
import { BLOCK_SIZE_OFFSET, DIRECTORY_OFFSET, KEY_START, KEY_START_SIZE, writeOffset } from './layout.ts'
import { type GdbmRecord, type PlannedBucket, planBuckets } from './plan.ts'

/** The largest size of a file, which is built in memory. */
const LARGEST_FILE = 1024 * 1024 * 1024

/** The library discards free areas of fewer bytes. */
const SMALLEST_FREE = 5

/**
 * Builds a file with exactly these records: header, directory, buckets, data.
 * @param records keys as latin1 strings
 * @throws DbmError if it would have more than 1 GiB
 */
export function buildGdbm(kind: GdbmKind, records: ReadonlyMap<string, Buffer>): Buffer {
  const { layout, blockSize, bucketSize } = kind
  const sorted = Array.from(records, toRecord).sort((a, b) => a.hash - b.hash)
  const buckets = planBuckets(sorted, kind.elements)
  const bits = buckets.reduce((most, bucket) => Math.max(most, bucket.bits), leastBits(kind))
  const directorySize = layout.offsetSize * 2 ** bits
  const bucketsStart = roundUp(blockSize + directorySize, blockSize)
  const dataStart = bucketsStart + buckets.length * bucketSize
  const dataEnd = sorted.reduce((end, { key, value }) => end + key.length + value.length, dataStart)
  const size = roundUp(dataEnd, blockSize)
  if (size > LARGEST_FILE) throw driverError(GDBM_ERROR.fileWrite, 'the GDBM file would have more than 1 GiB')

  const file = Buffer.alloc(size)
  writeHeader(file, kind, bits, dataEnd)
  let entry = 0
  let data = dataStart
  for (const [index, bucket] of buckets.entries()) {
    const offset = bucketsStart + index * bucketSize
    for (const end = entry + 2 ** (bits - bucket.bits); entry < end; entry++) {
      writeOffset(layout, file, offset, blockSize + entry * layout.offsetSize)
    }
    data = writeBucket(file, kind, bucket, offset, data)
  }
  return file
}

/** The library makes no directory smaller than a block or than eight entries. */
function leastBits({ layout, blockSize }: GdbmKind): number {
  let bits = 3
  while (layout.offsetSize * 2 ** bits < blockSize) bits++
  return bits
}

function toRecord([name, value]: readonly [string, Buffer]): GdbmRecord {
  const key = Buffer.from(name, 'latin1')
  return { hash: gdbmHash(key), key, value }
}

function writeHeader(file: Buffer, kind: GdbmKind, bits: number, dataEnd: number): void {
  const { layout, blockSize } = kind
  file.writeUInt32LE(kind.magic, 0)
  file.writeUInt32LE(blockSize, BLOCK_SIZE_OFFSET)
  writeOffset(layout, file, blockSize, DIRECTORY_OFFSET)
  file.writeUInt32LE(layout.offsetSize * 2 ** bits, layout.directorySize)
  file.writeUInt32LE(bits, layout.directoryBits)
  file.writeUInt32LE(kind.bucketSize, layout.bucketSize)
  file.writeUInt32LE(kind.elements, layout.elementsPerBucket)
  writeOffset(layout, file, file.length, layout.nextBlock)
  kind.extension.copy(file, layout.headerSize)

  // The table of free space: its capacity, its number of entries, and one entry for the rest of the last
  // block.
  const table = layout.headerSize + kind.extension.length
  const first = table + layout.freeEntries
  file.writeUInt32LE(Math.floor((blockSize - first) / layout.freeEntrySize), table)
  const free = file.length - dataEnd
  if (free < SMALLEST_FREE) return
  file.writeUInt32LE(1, table + 4)
  file.writeUInt32LE(free, first)
  writeOffset(layout, file, dataEnd, first + layout.freeEntrySize - layout.offsetSize)
}

/** @returns the position for the data of the next bucket */
function writeBucket(file: Buffer, kind: GdbmKind, { bits, records }: PlannedBucket, offset: number, dataStart: number): number {
  const { layout, elements } = kind
  const elementAt = (slot: number): number => offset + layout.elements + slot * layout.elementSize
  file.writeUInt32LE(bits, offset + layout.bucketBits)
  file.writeUInt32LE(records.length, offset + layout.bucketCount)
  for (let slot = 0; slot < elements; slot++) file.writeInt32LE(-1, elementAt(slot))
  let data = dataStart
  for (const { hash, key, value } of records) {
    let slot = hash % elements
    while (file.readInt32LE(elementAt(slot)) !== -1) slot = (slot + 1) % elements
    const element = elementAt(slot)
    file.writeInt32LE(hash, element)
    key.copy(file, element + KEY_START, 0, KEY_START_SIZE)
    writeOffset(layout, file, data, element + layout.dataOffset)
    file.writeUInt32LE(key.length, element + layout.keySize)
    file.writeUInt32LE(value.length, element + layout.valueSize)
    data += key.copy(file, data)
    data += value.copy(file, data)
  }
  return data
}

function roundUp(size: number, unit: number): number {
  return Math.ceil(size / unit) * unit
}
