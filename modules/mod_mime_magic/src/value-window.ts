import { type MagicEntry, type MagicType, VALUE_SIZE } from './magic-entry.ts'

/**
 * The bytes that a test looks at, as httpd has them in memory: numbers of a stated order are in that of the machine, and
 * a string ends at its first newline. Bytes at an indirect place stay as they are. null if the file ends before.
 */
export function valueWindow({ offset, type }: MagicEntry, bytes: Buffer): Buffer | null {
  const direct = windowAt(bytes, offset.at)
  if (direct === null) return null
  convert(direct, type)
  const { indirect } = offset
  if (indirect === null) return direct
  const base =
    indirect.size === 1 ? BigInt(direct[0]) : indirect.size === 2 ? BigInt(direct.readUInt16LE(0)) : direct.readBigInt64LE(0)
  return windowAt(bytes, Number(base + BigInt(indirect.add)))
}

/** The number at the beginning of a window, of the size of its type; a long has 64 bits. */
export function numberIn(type: MagicType, window: Buffer): bigint {
  if (type === 'byte') return BigInt(window[0])
  return type.endsWith('short') ? BigInt(window.readUInt16LE(0)) : window.readBigInt64LE(0)
}

/** The number with the sign that the size of its type gives it, unless the type is unsigned. */
export function extended({ type, isUnsigned }: Pick<MagicEntry, 'type' | 'isUnsigned'>, number: bigint): bigint {
  if (isUnsigned) return number
  return BigInt.asIntN(type === 'byte' ? 8 : type.endsWith('short') ? 16 : 64, number)
}

/** A copy of the bytes, because tests convert it; null where they would reach beyond the end. */
function windowAt(bytes: Buffer, at: number): Buffer | null {
  return at >= 0 && at + VALUE_SIZE <= bytes.length ? Buffer.from(bytes.subarray(at, at + VALUE_SIZE)) : null
}

function convert(window: Buffer, type: MagicType): void {
  switch (type) {
    case 'string': {
      const newline = window.indexOf(0x0a)
      if (newline >= 0) window[newline] = 0
      window[VALUE_SIZE - 1] = 0
      return
    }
    case 'beshort':
      window.writeUInt16LE(window.readUInt16BE(0), 0)
      return
    case 'belong':
    case 'bedate':
      window.writeBigInt64LE(BigInt(window.readInt32BE(0)), 0)
      return
    case 'lelong':
    case 'ledate':
      window.writeBigInt64LE(BigInt(window.readInt32LE(0)), 0)
  }
}
