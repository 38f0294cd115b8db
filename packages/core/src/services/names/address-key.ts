import type { Address } from '@gatewright/ipset'

/** A text that two spellings of one address share. */
export function addressKey({ family, w0, w1, w2, w3 }: Address): string {
  return family === 4 ? String(w0) : `${w0}:${w1}:${w2}:${w3}`
}

export function sameAddress(a: Address, b: Address): boolean {
  return a.family === b.family && a.w0 === b.w0 && a.w1 === b.w1 && a.w2 === b.w2 && a.w3 === b.w3
}

/** The name of an address's PTR record (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseName({ family, w0, w1, w2, w3 }: Address): string {
  if (family === 4) return `${w0 & 255}.${(w0 >>> 8) & 255}.${(w0 >>> 16) & 255}.${w0 >>> 24}.in-addr.arpa`
  const digits = [w0, w1, w2, w3].map((word) => word.toString(16).padStart(8, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}
