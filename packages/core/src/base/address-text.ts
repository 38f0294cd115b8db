import { isIP } from 'node:net'
import { fullAddress } from './full-address.ts'
import { zoneName } from './interface-zone.ts'

/**
 * Parses an address into httpd's form: a dotted quad, IPv6 in its shortest form and in lower case, an
 * IPv4-mapped one as IPv4. The zone of an IPv6 address is included if an interface has it.
 *
 * @returns undefined for text that the system's resolver does not accept as a full address
 */
export function readAddress(text: string): string | undefined {
  const percent = text.indexOf('%')
  const bare = percent < 0 ? text : text.slice(0, percent)
  const family = isIP(bare)
  if (family === 4) return percent < 0 ? bare : undefined
  if (family !== 6) return undefined
  const address = shortest(bare)
  return percent < 0 ? address : withZone(address, text.slice(percent + 1))
}

/** Like `readAddress`, but also accepts the forms of `inet_aton`, such as `127.1` or `0x7f000001`. */
export function readAnyAddress(text: string): string | undefined {
  return readAddress(text) ?? fullAddress(text)
}

function shortest(text: string): string {
  const address = new URL(`http://[${text}]/`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(address)
  if (mapped === null) return address
  const bits = Number.parseInt(mapped[1], 16) * 0x10000 + Number.parseInt(mapped[2], 16)
  return [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join('.')
}

/**
 * Link-local addresses (unicast and multicast) have an interface's name or number as zone, all others a
 * number.
 */
function withZone(address: string, zone: string): string | undefined {
  const linkLocal = /^(?:fe[89ab]|ff[0-9a-f]2:)/.test(address)
  if (!linkLocal) return /^[0-9]+$/.test(zone) && Number(zone) <= 0xffffffff ? address : undefined
  const name = zoneName(zone)
  if (name === undefined) return undefined
  return name === '' ? address : `${address}%${name}`
}
