import { Duplex } from 'node:stream'

/** 4, 6, or 0 if the text is no address. */
export function isIP(text: string): 0 | 4 | 6 {
  if (isIPv4(text)) return 4
  return isIPv6(text) ? 6 : 0
}

export function isIPv4(text: string): boolean {
  return IPV4.test(text)
}

export function isIPv6(text: string): boolean {
  const [address, zone, ...more] = String(text).split('%')
  if (more.length > 0 || zone === '' || !/^[\da-f:.]+$/i.test(address)) return false
  const halves = address.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const last = groups.at(-1)
  const hasIPv4 = last?.includes('.') === true
  if (hasIPv4 && (!isIPv4(last) || address.endsWith(':'))) return false
  const count = groups.length + (hasIPv4 ? 1 : 0)
  const plain = hasIPv4 ? groups.slice(0, -1) : groups
  return plain.every((group) => /^[\da-f]{1,4}$/i.test(group)) && (halves.length === 2 ? count <= 7 : count === 8)
}

const BYTE = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^(?:${BYTE}\\.){3}${BYTE}$`)

/** A connection without a network: subclasses say where its bytes go. */
export class Socket extends Duplex {
  setNoDelay(): this {
    return this
  }
  setKeepAlive(): this {
    return this
  }
  setTimeout(): this {
    return this
  }
  ref(): this {
    return this
  }
  unref(): this {
    return this
  }
}
