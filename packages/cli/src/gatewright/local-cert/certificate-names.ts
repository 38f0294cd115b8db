import { isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import type { GeneralName } from '@gatewright/x509'

/** What every certificate for development is valid for. */
export const LOCAL_NAMES: readonly string[] = ['localhost', '127.0.0.1', '::1']

/** One label of a host name in ASCII. The underscore is not allowed by RFC 952, but in use. */
const LABEL = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
const HOST_NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`)
const LONGEST_NAME = 253

/**
 * A host name or an IP address as a certificate states it: in ASCII and lower case, without a final dot. An address of
 * IPv6 is in its shortest form.
 * @returns undefined if the text is neither
 */
export function certificateName(text: string): string | undefined {
  if (isIP(text) !== 0) return text.includes('%') ? undefined : canonicalAddress(text)
  const wildcard = text.startsWith('*.') ? '*.' : ''
  const bare = text.slice(wildcard.length).replace(/\.$/, '')
  const name = /[^ -~]/.test(bare) ? domainToASCII(bare) : bare.toLowerCase()
  // A last label of digits would be an abbreviated or wrong address.
  if (name.length > LONGEST_NAME || !HOST_NAME.test(name) || /(?:^|\.)\d+$/.test(name)) return undefined
  return `${wildcard}${name}`
}

/** A name of a certificate; undefined for one that is neither host name nor address. */
export function nameOfGeneral(name: GeneralName): string | undefined {
  if (name.kind === 'dns') return name.contents.toString('latin1')
  if (name.kind !== 'ip') return undefined
  const { contents } = name
  if (contents.length === 4) return [...contents].join('.')
  return contents.length === 16 ? canonicalAddress(contents.toString('hex').replace(/(....)(?=.)/g, '$1:')) : undefined
}

function canonicalAddress(address: string): string {
  return isIPv6(address) ? new URL(`http://[${address}]/`).hostname.slice(1, -1) : address
}
