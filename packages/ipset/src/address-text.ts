/** The eight 16-bit groups of an IPv6 address. */
export type Ipv6Groups = Uint16Array

const DOT = 0x2e
const COLON = 0x3a

/**
 * Reads four decimal octets from `start` to the end of the text. Like httpd's own reader, it accepts any
 * number of leading zeros and never reads octal.
 *
 * @returns the address, 0 to 0xffffffff, or -1
 */
export function readDottedQuad(text: string, start: number): number {
  let bits = 0
  let dots = 0
  let octet = -1
  for (let index = start; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const digit = code - 0x30
    if (digit >= 0 && digit <= 9) {
      octet = Math.max(octet, 0) * 10 + digit
      if (octet > 255) return -1
    } else if (code === DOT && octet >= 0 && dots < 3) {
      bits = bits * 256 + octet
      dots++
      octet = -1
    } else {
      return -1
    }
  }
  return dots === 3 && octet >= 0 ? bits * 256 + octet : -1
}

/**
 * Reads an IPv6 address as httpd reads it in configurations: RFC 4291 section 2.2, and in addition what httpd
 * accepts. A group may have any number of leading zeros. One colon may follow a complete address (`1::2:`).
 * If `::` occurs in an address that already has eight groups, every group after it is zero
 * (`1:2::3:4:5:6:7:8` is `1:2::`).
 */
export function readIpv6Groups(text: string): Ipv6Groups | undefined {
  const groups: Ipv6Groups = new Uint16Array(8)
  let count = 0
  let gap = -1
  let value = -1
  let index = 0
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return undefined
    index = 1
  }
  for (let groupStart = index; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const digit = hexDigit(code)
    if (digit >= 0) {
      value = Math.max(value, 0) * 16 + digit
      if (value > 0xffff) return undefined
    } else if (code === COLON) {
      groupStart = index + 1
      if (value < 0) {
        if (gap >= 0) return undefined
        gap = count
      } else {
        if (count === 8) return undefined
        groups[count++] = value
        value = -1
      }
    } else if (code === DOT && count <= 6) {
      const quad = readDottedQuad(text, groupStart)
      if (quad < 0) return undefined
      groups[count++] = quad >>> 16
      groups[count++] = quad & 0xffff
      value = -1
      break
    } else {
      return undefined
    }
  }
  if (value >= 0) {
    if (count === 8) return undefined
    groups[count++] = value
  }
  if (gap < 0) return count === 8 ? groups : undefined
  for (let back = 1; back <= count - gap; back++) {
    groups[8 - back] = groups[count - back]
    groups[count - back] = 0
  }
  return groups
}

/** `::ffff:0:0/96`: an IPv4 address in IPv6 notation. */
export function isMappedIpv4(groups: Ipv6Groups): boolean {
  for (let index = 0; index < 5; index++) if (groups[index] !== 0) return false
  return groups[5] === 0xffff
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
