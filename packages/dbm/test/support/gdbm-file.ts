import { gdbmHash } from '../../src/gdbm/hash.ts'
import { bytes, type Records } from './dataset.ts'

/** The four kinds of GDBM file: width of an offset in bytes, and the header with or without its extension. */
export interface GdbmKind {
  readonly magic: number
  readonly offset: 4 | 8
  readonly extension: 0 | 32
}

export const GDBM_KINDS: Record<string, GdbmKind> = {
  'offsets of 32 bits': { magic: 0x13579acd, offset: 4, extension: 0 },
  'offsets of 64 bits': { magic: 0x13579acf, offset: 8, extension: 0 },
  'offsets of 32 bits and extended header': { magic: 0x13579ad0, offset: 4, extension: 32 },
  'offsets of 64 bits and extended header': { magic: 0x13579ad1, offset: 8, extension: 32 },
}

const BLOCK = 4096

/**
 * Lays out a GDBM file as the C structures have it, for kinds that the library at hand does not write: header, directory with
 * one bucket for each of its entries, buckets, data.
 */
export function buildGdbm(kind: GdbmKind, records: Records): Buffer {
  const bits = kind.offset === 8 ? 9 : 10
  const wide = kind.offset === 8
  const available = kind.offset === 8 ? 16 : 8
  const elementSize = wide ? 24 : 20
  const elementsAt = (wide ? 8 : 4) + 6 * available + 8
  const elements = Math.floor((BLOCK - elementsAt) / elementSize)
  const buckets = 2 ** bits
  const dataStart = 2 * BLOCK + buckets * BLOCK
  const file = Buffer.alloc(dataStart + [...records].reduce((sum, [key, value]) => sum + key.length + value.length, 0))
  const offset = (value: number, at: number): void => {
    file.writeUInt32LE(value, at)
  }

  file.writeUInt32LE(kind.magic, 0)
  file.writeUInt32LE(BLOCK, 4)
  offset(BLOCK, 8)
  const rest = 8 + kind.offset
  for (const [index, word] of [BLOCK, bits, BLOCK, elements].entries()) file.writeUInt32LE(word, rest + 4 * index)
  offset(file.length, rest + 16)
  // The table of free space fills the block and has no entry.
  const table = rest + 16 + kind.offset + kind.extension
  file.writeUInt32LE(Math.floor((BLOCK - table - 8 - kind.offset) / available), table)

  for (let bucket = 0; bucket < buckets; bucket++) {
    const start = 2 * BLOCK + bucket * BLOCK
    offset(start, BLOCK + bucket * kind.offset)
    file.writeUInt32LE(bits, start + elementsAt - 8)
    for (let slot = 0; slot < elements; slot++) file.writeInt32LE(-1, start + elementsAt + slot * elementSize)
  }
  let data = dataStart
  for (const [keyText, valueText] of records) {
    const key = bytes(keyText)
    const value = bytes(valueText)
    const hash = gdbmHash(key)
    const start = 2 * BLOCK + (hash >>> (31 - bits)) * BLOCK
    let slot = hash % elements
    while (file.readInt32LE(start + elementsAt + slot * elementSize) !== -1) slot = (slot + 1) % elements
    const element = start + elementsAt + slot * elementSize
    file.writeInt32LE(hash, element)
    key.copy(file, element + 4, 0, Math.min(4, key.length))
    offset(data, element + 8)
    file.writeUInt32LE(key.length, element + 8 + kind.offset)
    file.writeUInt32LE(value.length, element + 12 + kind.offset)
    const count = start + elementsAt - 4
    file.writeUInt32LE(file.readUInt32LE(count) + 1, count)
    data += key.copy(file, data)
    data += value.copy(file, data)
  }
  return file
}
