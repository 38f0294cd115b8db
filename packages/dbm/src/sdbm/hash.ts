/**
 * The hash that spreads keys over pages: bytes are signed. SDBM computes in the machine's long; only low bits are ever used, so
 * 32 of them do.
 */
export function sdbmHash(key: Buffer): number {
  let hash = 0
  for (let index = 0; index < key.length; index++) hash = (Math.imul(hash, 65599) + ((key[index] << 24) >> 24)) | 0
  return hash
}
