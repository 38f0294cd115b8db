import { createHash } from 'node:crypto'
import { renewalIdOf } from '@gatewright/acme'
import { isMalformed, nameAsOneLine, parseCertificate } from '@gatewright/x509'
import { keysOf, type ManagedDomain, publicDomainJson } from '../domains/managed-domain.ts'
import type { Registry } from '../domains/registry.ts'
import { renewalTime } from '../drive/driver.ts'
import { DEFAULT_KEYS, keyName } from '../key-specs.ts'
import { certificatesOf, periodOf, type StoredCertificate } from '../store/credentials.ts'
import { httpTime, Job } from '../store/job.ts'

type Json = Record<string, unknown>

/** What the handler md-status says of all domains. */
export function statusJson(registry: Registry, now: number): Json {
  const sorted = [...registry.domains].sort((one, other) => (one.name < other.name ? -1 : 1))
  return { version: registry.version, 'managed-domains': sorted.map((md) => domainStatus(registry, md, now, false)) }
}

/** What it says of one domain. @param withLog the log of its renewal, too */
export function domainStatus(registry: Registry, md: ManagedDomain, now: number, withLog = true): Json {
  const renewAt = renewalTime(md, now)
  const renewal = renewalJson(registry, md, withLog)
  const renews = renewal !== undefined || renewAt <= now
  return {
    ...publicDomainJson(md),
    cert: certificatesJson(md.certificates),
    'renew-at': httpTime(renewAt),
    watched: md.watched,
    ...(renews && { renew: true }),
    ...(renewal !== undefined && { renewal }),
  }
}

/** What /.httpd/certificate-status says of a domain to everybody. */
export function certificateStatus(registry: Registry, md: ManagedDomain): Json {
  const status = publicJson(md)
  const renewal = renewalJson(registry, md, false)
  return renewal === undefined ? status : { ...status, renewal: { cert: renewal.cert ?? {} } }
}

function renewalJson({ store }: Registry, md: ManagedDomain, withLog: boolean): Json | undefined {
  if (!store.has('staging', md.name, 'job.json')) return undefined
  const { log, ...job } = Job.load(store, md.name).json()
  return { ...job, ...(withLog && log !== undefined && { log }), cert: certificatesJson(certificatesOf(md, store, 'staging')) }
}

function certificatesJson(certificates: readonly (StoredCertificate | undefined)[]): Json {
  const entries = present(certificates).map((stored): [string, Json] => {
    const parsed = parseCertificate(stored.certificate.raw)
    const id = renewalIdOf(stored.certificate.raw)
    return [
      stored.name,
      {
        ...(!isMalformed(parsed) && { 'issuer-name': nameAsOneLine(parsed.issuer) }),
        ...facts(stored),
        ...(id !== undefined && { 'ari-cert-id': id }),
      },
    ]
  })
  return { ...Object.fromEntries(entries), ...commonPeriod(certificates) }
}

/** By kind of key: as in httpd, certificates of MDCertificateFile are not among them, because they have numbers. */
function publicJson(md: ManagedDomain): Json {
  const keys = keysOf(md)
  const specs = md.certificateFiles.length > 0 ? md.certificateFiles.map((_, index) => keys[index] ?? DEFAULT_KEYS[0]) : keys
  const entries = specs.map((spec): [string, Json] => {
    const name = keyName(spec)
    const stored = present(md.certificates).find((one) => one.name === name)
    return [name, stored === undefined ? {} : facts(stored)]
  })
  return { ...commonPeriod(md.certificates), ...Object.fromEntries(entries) }
}

function facts({ certificate }: StoredCertificate): Json {
  const { start, end } = periodOf(certificate)
  return {
    valid: { from: httpTime(start), until: httpTime(end) },
    serial: certificate.serialNumber,
    'sha256-fingerprint': createHash('sha256').update(certificate.raw).digest('hex'),
  }
}

/** When all certificates are valid. */
function commonPeriod(certificates: readonly (StoredCertificate | undefined)[]): Json {
  const periods = present(certificates).map(({ certificate }) => periodOf(certificate))
  if (periods.length === 0) return {}
  const from = Math.max(...periods.map(({ start }) => start))
  const until = Math.min(...periods.map(({ end }) => end))
  return { valid: { from: httpTime(from), until: httpTime(until) } }
}

function present(certificates: readonly (StoredCertificate | undefined)[]): readonly StoredCertificate[] {
  return certificates.filter((stored) => stored !== undefined)
}
