/** The hash of every Berkeley DB file since version 5: FNV-1 over 32 bits with a start of zero. Returns an unsigned number. */
export function berkeleyHash(key: Buffer): number {
  let hash = 0
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash, 16777619) ^ key[index]
  return hash >>> 0
}
