import { type Address, ipv4Address, ipv6Address } from './address.ts'
import { isMappedIpv4, readDottedQuad, readIpv6Groups } from './address-text.ts'
import { type Network, networkOf, prefixMask } from './network.ts'
import { BAD_ADDRESS, BAD_MASK, type NetworkError, NOT_AN_ADDRESS } from './network-error.ts'

/**
 * Parses one word of `Require ip`, `Allow from`, `Deny from`, `-R` or `-ipmatch`:
 *
 * ADDRESS | PARTIAL-IPV4 | ADDRESS/PREFIX-LENGTH | IPV4/NETMASK
 *
 * A malformed address is reported before a malformed mask. IPv4-mapped IPv6 addresses are rejected: the
 * client would be compared as IPv4 and never match. Errors are returned, never thrown.
 */
export function parseNetwork(text: string): Network | NetworkError {
  const slash = text.indexOf('/')
  const addressText = slash < 0 ? text : text.slice(0, slash)
  if (!looksLikeAddress(addressText)) return NOT_AN_ADDRESS
  const address = readAddress(addressText)
  if (slash < 0) {
    if (address === undefined) return readPartialIpv4(addressText) ?? BAD_ADDRESS
    return networkOf(address, prefixMask(address.family, address.family === 4 ? 32 : 128))
  }
  if (address === undefined) return BAD_ADDRESS
  const mask = readMask(address.family, text.slice(slash + 1))
  return mask === undefined ? BAD_MASK : networkOf(address, mask)
}

/**
 * Whether httpd treats a text as an address and not as a name: it contains a colon, or only digits and dots.
 * The text does not include a mask.
 */
export function looksLikeAddress(text: string): boolean {
  return text.includes(':') || /^[0-9.]+$/.test(text)
}

function readAddress(text: string): Address | undefined {
  const bits = readDottedQuad(text, 0)
  if (bits >= 0) return ipv4Address(bits)
  const groups = readIpv6Groups(text)
  return groups === undefined || isMappedIpv4(groups) ? undefined : ipv6Address(groups)
}

/**
 * Reads one to four octets, each of which adds 8 bits to the prefix; one dot may follow. As in httpd, at most
 * 15 characters are allowed, and numbers beyond 32 bits count modulo 2^32 (`4294967306.1` is 10.1).
 */
function readPartialIpv4(text: string): Network | undefined {
  if (text.length > 15) return undefined
  const octets = text.split('.')
  if (octets.at(-1) === '') octets.pop()
  if (octets.length > 4) return undefined
  let bits = 0
  for (const octet of octets) {
    const value = /^[0-9]+$/.test(octet) ? Number(octet) | 0 : -1
    if (value < 0 || value > 255) return undefined
    bits = bits * 256 + value
  }
  const length = 8 * octets.length
  return networkOf(ipv4Address(bits * 2 ** (32 - length)), prefixMask(4, length))
}

/**
 * Reads a prefix length, 1 to 32 or 128, or for IPv4 a mask of any bits. Like httpd, it accepts white space
 * and a plus sign before the length.
 */
function readMask(family: 4 | 6, text: string): Address | undefined {
  if (/^[ \t\n\v\f\r]*[+-]?[0-9]+$/.test(text)) {
    const length = Number(text)
    return length >= 1 && length <= (family === 4 ? 32 : 128) ? prefixMask(family, length) : undefined
  }
  const bits = family === 4 ? readDottedQuad(text, 0) : -1
  return bits < 0 ? undefined : ipv4Address(bits)
}
