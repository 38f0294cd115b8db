import type { Certificate } from './certificate.ts'
import { IA5_STRING, UTF8_STRING } from './der-tags.ts'
import { subjectAltNames } from './extension-values.ts'
import type { Name, NameAttribute } from './name.ts'
import { attributeRawText, attributeText, type NameText, nameAsAscii, nameAsRfc2253 } from './name-text.ts'
import { pemText } from './pem.ts'
import { serialDecimal } from './serial.ts'
import type { CertificateTime } from './time.ts'

/** How variables are written. */
export interface VariableOptions {
  /** How S_DN and I_DN are written: `nameAsRfc2253` unless given; with LegacyDNStringFormat `nameAsOneLine`. */
  readonly nameText?: NameText
  /** The present time for V_REMAIN, in milliseconds since 1970. */
  readonly now?: number
}

const MS_UPN = '1.3.6.1.4.1.311.20.2.3'
const DNS_SRV = '1.3.6.1.5.5.7.8.7'
const MS_PER_DAY = 86_400_000

/** Attributes of names that have variables, by the end of the variable's name. */
const PARTS: ReadonlyMap<string, string> = new Map([
  ['C', '2.5.4.6'],
  ['ST', '2.5.4.8'],
  // An old name of ST, which works in look-ups only.
  ['SP', '2.5.4.8'],
  ['L', '2.5.4.7'],
  ['O', '2.5.4.10'],
  ['OU', '2.5.4.11'],
  ['CN', '2.5.4.3'],
  ['T', '2.5.4.12'],
  ['I', '2.5.4.43'],
  ['G', '2.5.4.42'],
  ['S', '2.5.4.4'],
  ['D', '2.5.4.13'],
  ['UID', '0.9.2342.19200300.100.1.1'],
  ['Email', '1.2.840.113549.1.9.1'],
])
const PART_OF_OID: ReadonlyMap<string, string> = new Map(
  [...PARTS].filter(([part]) => part !== 'SP').map(([part, oid]) => [oid, part]),
)

/**
 * A variable of a certificate: what mod_ssl has as SSL_CLIENT_ or SSL_SERVER_ followed by this name.
 * @param name M_VERSION, M_SERIAL, V_START, V_END, V_REMAIN, S_DN, I_DN, A_SIG, A_KEY, CERT, CERT_RFC4523_CEA; S_DN_ or I_DN_ and a part
 *   such as CN, with `_0`, `_1` for one of several and `_RAW` for its own character set; SAN_Email_0, SAN_DNS_0, SAN_OTHER_msUPN_0,
 *   SAN_OTHER_dnsSRV_0
 * @returns a byte string, or undefined for an unknown name or one that the certificate has no value for
 */
export function certificateVariable(certificate: Certificate, name: string, options: VariableOptions = {}): string | undefined {
  if (name.startsWith('S_DN')) return nameVariable(certificate.subject, name.slice(4), options)
  if (name.startsWith('I_DN')) return nameVariable(certificate.issuer, name.slice(4), options)
  if (name.startsWith('SAN_')) return altNameVariable(certificate, name.slice(4))
  return plainVariable(certificate, name, options)
}

/**
 * The variables with a part of a name, and those of subjectAltName, which the environment has with `SSLOptions +StdEnvVars`. A part's
 * first value is named without number, the second ends in `_1`.
 * @param otherName SSL_CLIENT_ variables have `msUPN`, SSL_SERVER_ variables `dnsSRV`
 * @returns pairs of a name without prefix and a value, a byte string
 */
export function listedVariables(certificate: Certificate, otherName: 'msUPN' | 'dnsSRV'): readonly (readonly [string, string])[] {
  const variables: [string, string][] = []
  for (const [prefix, name] of [
    ['S_DN_', certificate.subject],
    ['I_DN_', certificate.issuer],
  ] as const)
    listParts(name, prefix, variables)
  for (const kind of ['Email', 'DNS', `OTHER_${otherName}`])
    altNames(certificate, kind)
      .filter((value) => value !== '')
      .forEach((value, index) => void variables.push([`SAN_${kind}_${index}`, value]))
  return variables
}

/**
 * SSL_CLIENT_CERT_CHAIN_ followed by a number.
 * @param chain the DER of the certificates that the client sent after its own
 * @param number decimal digits, from 0
 * @returns PEM, or undefined for something else than digits, or a number that is too large
 */
export function chainVariable(chain: readonly Uint8Array[], number: string): string | undefined {
  const der = /^\d+$/.test(number) ? chain[Number(number)] : undefined
  return der && pemText('CERTIFICATE', der)
}

function plainVariable(certificate: Certificate, name: string, options: VariableOptions): string | undefined {
  switch (name) {
    case 'M_VERSION':
      return String(certificate.version)
    case 'M_SERIAL':
      return certificate.serial
    case 'V_START':
      return certificate.notBefore.text
    case 'V_END':
      return certificate.notAfter.text
    case 'V_REMAIN':
      return daysLeft(certificate.notAfter, options.now ?? Date.now())
    case 'A_SIG':
      return certificate.signatureAlgorithm.name
    case 'A_KEY':
      return certificate.keyAlgorithm.name
    case 'CERT':
      return pemText('CERTIFICATE', certificate.der)
    case 'CERT_RFC4523_CEA':
      return `{ serialNumber ${serialDecimal(certificate.serial)}, issuer rdnSequence:"${nameAsAscii(certificate.issuer)}" }`
    default:
      return undefined
  }
}

/** Complete days until the end; 0 after it. */
function daysLeft({ date }: CertificateTime, now: number): string {
  if (date === undefined) return '0'
  return String(Math.max(0, Math.floor((date.getTime() - now) / MS_PER_DAY)))
}

function nameVariable(name: Name, rest: string, { nameText = nameAsRfc2253 }: VariableOptions): string | undefined {
  if (rest === '') return nameText(name) || undefined
  const [, part, number = '0', raw] = /^_([A-Za-z]+)(?:_(\d*))?(_RAW)?$/.exec(rest) ?? []
  const oid = PARTS.get(part)
  const attribute = attributesOf(name, oid)[Number(number)]
  if (attribute === undefined) return undefined
  return (raw === undefined ? attributeText(attribute) : attributeRawText(attribute)) || undefined
}

function attributesOf({ relativeNames }: Name, oid: string | undefined): NameAttribute[] {
  return relativeNames.flat().filter((attribute) => attribute.oid === oid)
}

function altNameVariable(certificate: Certificate, rest: string): string | undefined {
  const [, kind, number] = /^(Email|DNS|OTHER_msUPN|OTHER_dnsSRV)_(\d{1,4})$/.exec(rest) ?? []
  if (kind === undefined) return undefined
  return altNames(certificate, kind)[Number(number)] || undefined
}

/** Alternative names of a kind; empty text for one whose value has another type than it should. */
function altNames(certificate: Certificate, kind: string): string[] {
  return subjectAltNames(certificate).flatMap((name) => {
    if ((kind === 'Email' && name.kind === 'email') || (kind === 'DNS' && name.kind === 'dns'))
      return [attributeText({ tag: IA5_STRING, contents: name.contents })]
    if (name.kind !== 'other') return []
    if (kind === 'OTHER_msUPN' && name.oid === MS_UPN) return [name.tag === UTF8_STRING ? attributeText(name) : '']
    if (kind === 'OTHER_dnsSRV' && name.oid === DNS_SRV) return [name.tag === IA5_STRING ? attributeText(name) : '']
    return []
  })
}

function listParts(name: Name, prefix: string, variables: [string, string][]): void {
  const counts = new Map<string, number>()
  for (const attribute of name.relativeNames.flat()) {
    const part = PART_OF_OID.get(attribute.oid)
    if (part === undefined) continue
    const count = counts.get(part) ?? 0
    counts.set(part, count + 1)
    const value = attributeText(attribute)
    if (value !== '') variables.push([`${prefix}${part}${count === 0 ? '' : `_${count}`}`, value])
  }
}
