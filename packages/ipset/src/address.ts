import { isIP } from 'node:net'
import { type Ipv6Groups, isMappedIpv4, readDottedQuad, readIpv6Groups } from './address-text.ts'

/**
 * An IP address as unsigned 32-bit numbers in network order. An IPv4 address is `w0` alone, and the other
 * words are 0; an IPv6 address uses all four. Both families share one object shape, so that code that
 * compares addresses stays monomorphic.
 */
export interface Address {
  readonly family: 4 | 6
  readonly w0: number
  readonly w1: number
  readonly w2: number
  readonly w3: number
}

/**
 * Parses the address of a client or server: a dotted quad without leading zeros, or IPv6 as in RFC 4291
 * section 2.2. An IPv4-mapped IPv6 address becomes the IPv4 address, because httpd tests a connection on a
 * mapped socket as IPv4. A zone (`fe80::1%eth0`) does not matter for any comparison and is dropped.
 *
 * `parseNetwork` reads configuration texts more leniently; an address of a connection must be unambiguous.
 *
 * @returns undefined for any other text, including names and partial addresses
 */
export function parseAddress(text: string): Address | undefined {
  switch (isIP(text)) {
    case 4:
      return ipv4Address(readDottedQuad(text, 0))
    case 6: {
      const zone = text.indexOf('%')
      const groups = readIpv6Groups(zone < 0 ? text : text.slice(0, zone))
      if (groups === undefined) return undefined
      const address = ipv6Address(groups)
      return isMappedIpv4(groups) ? ipv4Address(address.w3) : address
    }
    default:
      return undefined
  }
}

/** @param bits the address, 0 to 0xffffffff */
export function ipv4Address(bits: number): Address {
  return { family: 4, w0: bits, w1: 0, w2: 0, w3: 0 }
}

export function ipv6Address(groups: Ipv6Groups): Address {
  return { family: 6, w0: word(groups, 0), w1: word(groups, 2), w2: word(groups, 4), w3: word(groups, 6) }
}

function word(groups: Ipv6Groups, index: number): number {
  return groups[index] * 0x10000 + groups[index + 1]
}
