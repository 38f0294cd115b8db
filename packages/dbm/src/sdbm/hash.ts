/**
 * The hash that spreads keys over pages. Bytes are signed. SDBM computes in the machine's long, but uses only
 * low bits, so that 32 bits are enough.
 */
export function sdbmHash(key: Buffer): number {
  let hash = 0
  for (let index = 0; index < key.length; index++) hash = (Math.imul(hash, 65599) + ((key[index] << 24) >> 24)) | 0
  return hash
}
