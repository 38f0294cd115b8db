/** Berkeley DB writes numbers in the order of the machine and reads both; keys and values are bytes either way. */
export interface ByteOrder {
  u16(bytes: Buffer, at: number): number
  u32(bytes: Buffer, at: number): number
}

export const LITTLE_ENDIAN: ByteOrder = Object.freeze({
  u16: (bytes: Buffer, at: number) => bytes.readUInt16LE(at),
  u32: (bytes: Buffer, at: number) => bytes.readUInt32LE(at),
})

export const BIG_ENDIAN: ByteOrder = Object.freeze({
  u16: (bytes: Buffer, at: number) => bytes.readUInt16BE(at),
  u32: (bytes: Buffer, at: number) => bytes.readUInt32BE(at),
})
