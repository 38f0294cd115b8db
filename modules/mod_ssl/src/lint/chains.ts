import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import type { LintFinding, LintRule, ModuleHost } from '@gatewright/api'
import { authorityInformation, isMalformed, parseCertificate } from '@gatewright/x509'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { readText } from '../start/files.ts'
import { certificatesIn } from '../start/pem.ts'
import { type LintedPair, type SecuredHost, securedHosts, sentChain, titleOf } from './secured-hosts.ts'

/** Chains that clients cannot follow. */
export function chains(host: ModuleHost<SectionSettings, ServerSettings>): LintRule {
  return {
    about: 'a chain of certificates in the wrong order, with others in between, or without an intermediate',
    severity: 'error',
    find: (configuration) => {
      const hosts = securedHosts(host, configuration)
      const known = intermediatesOf(hosts)
      return hosts.flatMap((secured) => secured.pairs.flatMap((pair) => findingsIn(pair, secured, known)))
    },
  }
}

function findingsIn(
  { certificate }: LintedPair,
  { chain }: SecuredHost,
  known: readonly X509Certificate[],
): readonly LintFinding[] {
  const [own] = certificate.certificates
  if (own === undefined) return []
  const sent = sentChain(certificate, chain)
  const { path, place } = chain ?? certificate
  const ordered = pathFrom(own, sent)
  const stray = sent.filter((one) => !ordered.includes(one))
  const findings: LintFinding[] = []
  if (stray.length > 0) {
    const names = stray.map(titleOf).join(' and ')
    const message = `${path} has certificates that do not belong to the chain of ${titleOf(own)}: ${names}`
    findings.push({
      ...place,
      message,
      hint: 'remove them: the file has the certificate, then each issuer of the one before it',
      severity: 'warning',
    })
  } else if (sent.some((one, index) => one !== ordered[index])) {
    const message = `the chain in ${path} is in the wrong order: ${sent.map(titleOf).join(', then ')}`
    findings.push({ ...place, message, hint: `write ${[own, ...ordered].map(titleOf).join(', then ')}`, severity: 'warning' })
  }
  const last = ordered.at(-1) ?? own
  if (isRoot(last)) {
    // Only the part of a chain above the server's own certificate is superfluous.
    if (last !== own) {
      const message = `${path} has the root ${titleOf(last)}, which clients have already: each handshake is longer than necessary`
      findings.push({ ...place, message, hint: 'remove the root from the file', severity: 'note' })
    }
    return findings
  }
  const missing = missingIssuer(last, known)
  if (missing !== null) {
    const message = `the chain in ${path} ends with ${titleOf(last)}, which ${missing.name} has issued: clients that do not know that one refuse the certificate`
    findings.push({
      ...place,
      message,
      hint: `add the certificate of ${missing.name}${missing.where}`,
      severity: missing.severity,
    })
  }
  return findings
}

/** The issuers of a certificate among others, each after the one that it issued. */
function pathFrom(own: X509Certificate, others: readonly X509Certificate[]): readonly X509Certificate[] {
  const path: X509Certificate[] = []
  let at = own
  while (!isRoot(at)) {
    const below = at
    const issuer = others.find((one) => !path.includes(one) && hasIssued(one, below))
    if (issuer === undefined) break
    path.push(issuer)
    at = issuer
  }
  return path
}

interface Missing {
  readonly name: string
  readonly where: string
  readonly severity: 'error' | 'warning'
}

/**
 * The intermediate that clients need after a certificate; null where its issuer is a root. That of a private authority
 * looks like an intermediate, unless its certificate is in another file here.
 */
function missingIssuer(certificate: X509Certificate, known: readonly X509Certificate[]): Missing | null {
  const here = known.find((one) => hasIssued(one, certificate))
  if (here !== undefined)
    return { name: titleOf(here), where: ', which another file of this configuration has', severity: 'error' }
  const parsed = parseCertificate(certificate.raw)
  const addresses = isMalformed(parsed) ? [] : authorityInformation(parsed).caIssuers
  if (addresses.length === 0 || publicRoots().some((root) => hasIssued(root, certificate))) return null
  const name = /^CN=(.*)$/m.exec(certificate.issuer)?.[1] ?? certificate.issuer.replaceAll('\n', ', ')
  return { name, where: `: ${addresses[0]} has it`, severity: 'warning' }
}

/** Certificates of authorities in the files of this configuration that are not roots. */
function intermediatesOf(hosts: readonly SecuredHost[]): readonly X509Certificate[] {
  const files = hosts.flatMap(({ settings, pairs, chain }) => {
    const { caFile } = settings.authentication
    const authorities = caFile === undefined ? [] : certificatesIn(readText(caFile)).flatMap(parse)
    return [...pairs.flatMap(({ certificate }) => certificate.certificates), ...(chain?.certificates ?? []), ...authorities]
  })
  return files.filter((one) => one.ca && !isRoot(one))
}

/** Those of this program, which browsers have, too. */
function publicRoots(): readonly X509Certificate[] {
  return rootCertificates.flatMap(parse)
}

function parse(pem: string): readonly X509Certificate[] {
  try {
    return [new X509Certificate(pem)]
  } catch {
    return []
  }
}

function isRoot(certificate: X509Certificate): boolean {
  return certificate.subject === certificate.issuer && hasIssued(certificate, certificate)
}

function hasIssued(issuer: X509Certificate, certificate: X509Certificate): boolean {
  try {
    return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
  } catch {
    return false
  }
}
