/** GDBM's 31-bit hash of a key whose bytes are signed. Its high bits choose the directory entry, its remainder the slot in the bucket. */
export function gdbmHash(key: Buffer): number {
  let value = Math.imul(0x238f13af, key.length)
  for (let index = 0; index < key.length; index++) {
    const byte = (key[index] << 24) >> 24
    value = (value + (byte << ((index * 5) % 24))) & 0x7fffffff
  }
  return (Math.imul(1103515243, value) + 12345) & 0x7fffffff
}
