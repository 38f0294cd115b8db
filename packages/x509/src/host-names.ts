import type { Certificate } from './certificate.ts'
import { IA5_STRING } from './der-tags.ts'
import { subjectAltNames } from './extension-values.ts'
import { matchesHostPattern } from './host-pattern.ts'
import { attributeText } from './name-text.ts'
import { utf8Octets } from './string-octets.ts'

const COMMON_NAME = '2.5.4.3'

/**
 * Whether a client accepts the certificate for a host, as X509_check_host of OpenSSL decides it (RFC 6125): by the names of
 * subjectAltName, and by common names only if there are none. A wildcard is part of the first label. Case does not matter.
 * @param host a name in ASCII without a final dot; an internationalized name in its `xn--` form
 */
export function coversHost(certificate: Certificate, host: string): boolean {
  if (host === '' || host.includes('\0')) return false
  const names = subjectAltNames(certificate).flatMap((name) => (name.kind === 'dns' ? [name.contents] : []))
  return (names.length > 0 ? names : commonNames(certificate)).some((name) => matchesHostPattern(name.toString('latin1'), host))
}

/** Whether the certificate has this address among its names. @param address 4 or 16 bytes */
export function coversAddress(certificate: Certificate, address: Uint8Array): boolean {
  return subjectAltNames(certificate).some((name) => name.kind === 'ip' && name.contents.equals(address))
}

/**
 * Whether mod_ssl finds a server's name in its certificate when it starts; if not, it logs AH01909. Other than clients, it looks at
 * common names in any case, and at `*.` in front as the only wildcard.
 */
export function namesServer(certificate: Certificate, server: string): boolean {
  const dot = server.indexOf('.')
  const domain = dot < 0 ? undefined : server.slice(dot).toLowerCase()
  return hostNamesOf(certificate).some((name) => {
    const lower = name.toLowerCase()
    return lower === server.toLowerCase() || (lower.startsWith('*.') && lower.slice(1) === domain)
  })
}

/** The host names that a certificate states, for messages: those of subjectAltName, then common names. Byte strings. */
export function hostNamesOf(certificate: Certificate): readonly string[] {
  const alternative = subjectAltNames(certificate).flatMap((name) => (name.kind === 'dns' ? [ia5Text(name.contents)] : []))
  const common = certificate.subject.relativeNames.flat().filter(({ oid }) => oid === COMMON_NAME)
  return [...alternative, ...common.map(attributeText)].filter((name) => name !== '')
}

function ia5Text(contents: Buffer): string {
  return attributeText({ tag: IA5_STRING, contents })
}

function commonNames({ subject }: Certificate): Buffer[] {
  return subject.relativeNames
    .flat()
    .flatMap(({ oid, tag, contents }) => (oid === COMMON_NAME ? [utf8Octets(tag, contents)] : []))
}
