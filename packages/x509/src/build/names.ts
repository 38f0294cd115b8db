import { isIP, isIPv4 } from 'node:net'
import { derIa5, derImplicit, derOid, derPrintable, derSequence, derSet, derUtf8 } from '../der-writer.ts'
import { objectIdentifier } from '../object-names.ts'

/** Attributes of a distinguished name from first to last: short names of OpenSSL or dotted decimals, and Unicode text. */
export type NameParts = readonly (readonly [type: string, value: string])[]

const COUNTRY = '2.5.4.6'
/** Attributes whose values are ASCII in an IA5String. */
const IA5_TYPES = ['1.2.840.113549.1.9.1', '0.9.2342.19200300.100.1.25']

/** The DER of a distinguished name. @throws Error for a type that has no identifier */
export function derName(parts: NameParts): Buffer {
  return derSequence(...parts.map(([type, value]) => derSet(attribute(type, value))))
}

/**
 * The DER of the names of a subjectAltName.
 * @param hosts host names in ASCII, IP addresses, and mail addresses
 * @throws Error for a host name that is not ASCII
 */
export function derAltNames(hosts: readonly string[]): Buffer {
  return derSequence(...hosts.map(altName))
}

function attribute(type: string, value: string): Buffer {
  const oid = objectIdentifier(type)
  if (oid === undefined) throw new Error(`${type} is not an attribute of distinguished names`)
  if (oid === COUNTRY) return derSequence(derOid(oid), derPrintable(value))
  return derSequence(derOid(oid), IA5_TYPES.includes(oid) ? derIa5(value) : derUtf8(value))
}

function altName(host: string): Buffer {
  if (isIP(host) !== 0) return derImplicit(7, addressOctets(host))
  if (/[^!-~]/.test(host) || host === '') throw new Error(`a name of a certificate must be in ASCII: ${JSON.stringify(host)}`)
  return derImplicit(host.includes('@') ? 1 : 2, Buffer.from(host, 'latin1'))
}

/** @param address a valid IPv4 or IPv6 address without zone */
export function addressOctets(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [front, back] = address.split('::').map(groups)
  const zeros = back === undefined ? [] : new Array<number>(16 - front.length - back.length).fill(0)
  return Buffer.from([...front, ...zeros, ...(back ?? [])])
}

/** The bytes of colon-separated groups, of which the last may be an IPv4 address. */
function groups(text: string): number[] {
  if (text === '') return []
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number)
    const number = Number.parseInt(group, 16)
    return [number >> 8, number & 0xff]
  })
}
