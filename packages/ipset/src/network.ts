import type { Address } from './address.ts'

/**
 * The addresses that agree with `address` in the bits that are set in `mask`. Both have the same family;
 * `address` has no bit outside the mask. The mask of an IPv4 network may have holes (`10.0.0.0/255.0.255.0`).
 */
export interface Network {
  readonly address: Address
  readonly mask: Address
}

/** Whether the address is in the network. Addresses of the other family never are. */
export function matchesNetwork(network: Network, address: Address): boolean {
  const want = network.address
  const mask = network.mask
  return (
    want.family === address.family &&
    (address.w0 & mask.w0) >>> 0 === want.w0 &&
    (address.w1 & mask.w1) >>> 0 === want.w1 &&
    (address.w2 & mask.w2) >>> 0 === want.w2 &&
    (address.w3 & mask.w3) >>> 0 === want.w3
  )
}

/** The network with this mask that contains the address: host bits are cleared, as in httpd. */
export function networkOf(address: Address, mask: Address): Network {
  return {
    address: {
      family: address.family,
      w0: (address.w0 & mask.w0) >>> 0,
      w1: (address.w1 & mask.w1) >>> 0,
      w2: (address.w2 & mask.w2) >>> 0,
      w3: (address.w3 & mask.w3) >>> 0,
    },
    mask,
  }
}

const MASKS: Readonly<Record<4 | 6, readonly Address[]>> = {
  4: Array.from({ length: 33 }, (_, length) => newMask(4, length)),
  6: Array.from({ length: 129 }, (_, length) => newMask(6, length)),
}

/**
 * Returns the same object for the same mask, because long lists have many networks and few masks.
 * @param length bits of the prefix, 0 to 32 for IPv4, 0 to 128 for IPv6
 */
export function prefixMask(family: 4 | 6, length: number): Address {
  return MASKS[family][length]
}

function newMask(family: 4 | 6, length: number): Address {
  return { family, w0: maskWord(length), w1: maskWord(length - 32), w2: maskWord(length - 64), w3: maskWord(length - 96) }
}

function maskWord(bits: number): number {
  if (bits <= 0) return 0
  return bits >= 32 ? 0xffffffff : (0xffffffff << (32 - bits)) >>> 0
}
