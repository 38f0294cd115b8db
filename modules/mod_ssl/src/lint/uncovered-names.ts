import { isIP } from 'node:net'
import type { LintedConfiguration, LintedLine, LintFinding, LintRule, ModuleHost } from '@gatewright/api'
import {
  addressOctets,
  type Certificate,
  coversAddress,
  coversHost,
  hostNamesOf,
  isMalformed,
  parseCertificate,
} from '@gatewright/x509'
import type { SectionSettings, ServerSettings } from '../settings.ts'
import { type SecuredHost, securedHosts } from './secured-hosts.ts'

const HINT = 'get a certificate with this name, remove the name, or give it a virtual host with a certificate of its own'

/** A name of a host that none of its certificates has. */
export function uncoveredNames(host: ModuleHost<SectionSettings, ServerSettings>): LintRule {
  return {
    about: 'a ServerName or ServerAlias that no certificate of its host has',
    severity: 'warning',
    find: (configuration) => securedHosts(host, configuration).flatMap((secured) => findingsIn(configuration, secured)),
  }
}

function findingsIn(configuration: LintedConfiguration, { server, pairs }: SecuredHost): readonly LintFinding[] {
  const certificates = pairs.flatMap(({ certificate }) => {
    const own = certificate.certificates.at(0)
    const parsed = own === undefined ? undefined : parseCertificate(own.raw)
    return parsed === undefined || isMalformed(parsed) ? [] : [parsed]
  })
  if (certificates.length === 0) return []
  const known = [...new Set(certificates.flatMap(hostNamesOf))].join(', ')
  // The last ServerName is the one that counts.
  const lines = [...configuration.linesOf(server, 'ServerName').slice(-1), ...configuration.linesOf(server, 'ServerAlias')]
  return lines.flatMap((line) =>
    namesIn(line, configuration.words(line.text)).flatMap((name) => {
      if (certificates.some((certificate) => covers(certificate, name))) return []
      const message = `no certificate of this host is for ${name}, but for ${known === '' ? 'no name' : known}: clients refuse it there`
      return [{ file: line.file, line: line.line, message, hint: HINT }]
    }),
  )
}

/** The names of a line, without scheme and port. */
function namesIn({ name }: LintedLine, words: readonly string[]): readonly string[] {
  const names = name.toLowerCase() === 'servername' ? words.slice(0, 1) : words
  return names.map((word) =>
    word
      .replace(/^https?:\/\//i, '')
      .replace(/:\d*$/, '')
      .replace(/\.$/, ''),
  )
}

/** A wildcard needs the same in the certificate, or one that is wider by nothing: `*` stands for one label there. */
function covers(certificate: Certificate, name: string): boolean {
  const plain = /^\[(.*)\]$/.exec(name)?.[1] ?? name
  if (isIP(plain) !== 0) return coversAddress(certificate, addressOctets(plain))
  if (/[*?]/.test(name)) return hostNamesOf(certificate).some((one) => one.toLowerCase() === name.toLowerCase())
  return coversHost(certificate, name)
}
