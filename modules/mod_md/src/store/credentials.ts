import { type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { coversHost, isMalformed, mustStaple, parseCertificate } from '@gatewright/x509'
import { keysOf, type ManagedDomain } from '../domains/managed-domain.ts'
import { type KeySpec, keyFileName, keyName } from '../key-specs.ts'
import type { Period } from '../time-slice.ts'
import type { Group, Store } from './store.ts'

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/** A certificate that is in a file. */
export interface StoredCertificate {
  /** The name of its kind of key, or its number among those of MDCertificateFile. */
  readonly name: string
  readonly certificate: X509Certificate
}

/** The certificates in a text, undefined when there is none or one cannot be read. */
export function chainIn(text: string | undefined): readonly X509Certificate[] | undefined {
  const blocks = text?.match(BLOCK) ?? []
  try {
    return blocks.length === 0 ? undefined : blocks.map((block) => new X509Certificate(block))
  } catch {
    return undefined
  }
}

/** A key with its certificate, when both are there and belong together. */
export interface Credentials {
  readonly key: KeyObject
  /** PEM. */
  readonly chain: string
  readonly certificate: X509Certificate
}

/** @returns undefined when either is missing or damaged, or when they do not match */
export function readCredentials(store: Store, group: Group, name: string, spec: KeySpec): Credentials | undefined {
  const chain = store.readText(group, name, keyFileName(spec, 'pubcert'))
  const certificate = chainIn(chain)?.[0]
  if (chain === undefined || certificate === undefined) return undefined
  const key = store.readKey(group, name, keyFileName(spec, 'privkey'))
  return key !== undefined && certificate.checkPrivateKey(key) ? { key, chain, certificate } : undefined
}

/** The certificates of a domain; undefined in the place of one that is missing. */
export function certificatesOf(
  md: ManagedDomain,
  store: Store,
  group: Group = 'domains',
): readonly (StoredCertificate | undefined)[] {
  if (group === 'domains' && md.certificateFiles.length > 0) {
    return md.certificateFiles.map((file, index) => stored(String(index), () => readConfigured(file)))
  }
  return keysOf(md).map((spec) => stored(keyName(spec), () => store.readText(group, md.name, keyFileName(spec, 'pubcert'))))
}

function stored(name: string, read: () => string | undefined): StoredCertificate | undefined {
  try {
    const certificate = chainIn(read())?.[0]
    return certificate === undefined ? undefined : { name, certificate }
  } catch {
    return undefined
  }
}

/** A file that the operator names may be a link: certbot's are. */
function readConfigured(file: string): string {
  return readFileSync(Buffer.from(file, 'latin1'), 'utf8')
}

/** When a certificate is valid. */
export function periodOf(certificate: X509Certificate): Period {
  return { start: certificate.validFromDate.getTime(), end: certificate.validToDate.getTime() }
}

/**
 * What is wrong with a certificate for a domain; undefined when nothing is.
 * @param name of the kind of key that the domain has at this place, also for a certificate of MDCertificateFile
 */
export function mismatch(md: ManagedDomain, name: string, certificate: X509Certificate): string | undefined {
  const parsed = parseCertificate(certificate.raw)
  if (isMalformed(parsed) || !md.domains.every((domain) => coversName(parsed, domain))) {
    return `certificate(${name}) does not cover all domains.`
  }
  const has = mustStaple(parsed)
  if (has === md.mustStaple) return undefined
  return `'must-staple' is${md.mustStaple ? '' : ' not'} requested, but certificate(${name}) has it${md.mustStaple ? ' not' : ''} enabled.`
}

function coversName(parsed: Parameters<typeof coversHost>[0], domain: string): boolean {
  if (!domain.startsWith('*.')) return coversHost(parsed, domain)
  // A wildcard is covered by itself alone.
  return coversHost(parsed, `any-label${domain.slice(1)}`)
}
