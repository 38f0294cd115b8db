import { contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import type { LdapSectionSettings, LdapServerSettings } from './settings.ts'
import { clientFile, globalFile } from './trusted-file.ts'

/** A row of a directive of the main server with one word. */
function setting(help: string, set: (server: LdapServerSettings, word: string) => SetResult) {
  return directive.take1({ scope: 'server', context: contexts.mainServer, help, set })
}

export const directives: DirectiveTable<LdapSectionSettings, LdapServerSettings> = {
  LDAPSharedCacheSize: setting(
    'size in bytes of the cache that all processes share; 0 for caches of each process',
    (server, word) => {
      // httpd keeps the number without its sign.
      const size = leadingNumber(word)
      server.sharedCacheSize = size < 0 ? LARGEST_CACHE : Math.min(size, LARGEST_CACHE)
    },
  ),
  LDAPSharedCacheFile: directive.take1({
    scope: 'server',
    context: contexts.mainServer,
    help: 'accepted without effect: the shared cache is in no file',
    effect: 'none',
    set: () => undefined,
  }),
  LDAPCacheEntries: setting('users of each URL that are remembered; 0 or less for none', (server, word) => {
    server.cacheEntries = leadingNumber(word)
  }),
  LDAPCacheTTL: setting('seconds for which users are remembered; 0 for none', (server, word) => {
    server.cacheTtl = leadingNumber(word) * 1000
  }),
  LDAPOpCacheEntries: setting('comparisons of each URL that are remembered; 0 or less for none', (server, word) => {
    server.opCacheEntries = leadingNumber(word)
  }),
  LDAPOpCacheTTL: setting('seconds for which comparisons are remembered; 0 for none', (server, word) => {
    server.opCacheTtl = leadingNumber(word) * 1000
  }),
  LDAPTrustedGlobalCert: directive.take23({
    scope: 'server',
    context: contexts.mainServer,
    help: 'type (CA_BASE64, CA_DER, CERT_BASE64, CERT_DER, KEY_BASE64, KEY_DER) and file of trusted authorities, or of the certificate and key of this client, and a pass phrase',
    set: (server: LdapServerSettings, type, path, passPhrase, command) =>
      globalFile(type, path, passPhrase, command, (file) => server.trusted.push(file)),
  }),
  LDAPTrustedClientCert: directive.take23({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'type (CERT_BASE64, CERT_DER, KEY_BASE64, KEY_DER) and file of the certificate and key of this client, and a pass phrase',
    set: (section: LdapSectionSettings, type, path, passPhrase, command) =>
      clientFile(type, path, passPhrase, command, (file) => section.clientCertificates.push(file)),
  }),
  LDAPTrustedMode: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'how connections are secured: NONE, SSL or STARTTLS',
    set: (server: LdapServerSettings, word) => {
      const security = securityOf(word)
      if (security === undefined) return 'Invalid LDAPTrustedMode setting: must be one of NONE, SSL, or TLS/STARTTLS'
      server.security = security
      return undefined
    },
  }),
  LDAPVerifyServerCert: directive.flag({
    scope: 'server',
    context: contexts.mainServer,
    help: "whether the server's certificate is verified",
    set: (server: LdapServerSettings, on) => {
      server.verifies = on
    },
  }),
  LDAPConnectionTimeout: setting('seconds to wait for a connection', (server, word) => {
    server.connectionTimeout = Math.max(0, leadingNumber(word)) * 1000
  }),
  LDAPReferrals: directive.take1({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'whether other servers are asked to which the directory refers: on, off or default',
    set: (section: LdapSectionSettings, word) => {
      const lower = word.toLowerCase()
      if (lower !== 'on' && lower !== 'off' && lower !== 'default') return "LDAPReferrals must be 'on', 'off', or 'default'"
      section.referrals = lower !== 'off'
      return undefined
    },
  }),
  LDAPReferralHopLimit: directive.take1({
    scope: 'directory',
    context: contexts.inSections,
    override: 'AuthConfig',
    help: 'how many servers may refer to another one in turn',
    set: (section: LdapSectionSettings, word) => {
      const limit = leadingNumber(word)
      if (limit <= 0)
        return "LDAPReferralHopLimit must be greater than zero (Use 'LDAPReferrals Off' to disable referral chasing)"
      section.hopLimit = limit
      return undefined
    },
  }),
  LDAPLibraryDebug: directive.take1({
    scope: 'server',
    context: contexts.mainServer,
    help: 'accepted without effect: use LogLevel ldap:trace5',
    effect: 'none',
    set: () => undefined,
  }),
  LDAPTimeout: setting('seconds to wait for the answer of a directory; 0 for no limit', (server, word) => {
    if (!/^[-+]?\d+$/.test(word)) return 'Timeout not numerical'
    const seconds = Number(word)
    if (seconds < 0) return 'Timeout must be non-negative'
    server.operationTimeout = seconds * 1000
    return undefined
  }),
  LDAPConnectionPoolTTL: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'time for which an idle connection may be used again; 0 for none, -1 for no limit',
    set: (server: LdapServerSettings, word) => {
      const time = timeOf(word)
      if (time === undefined) return 'LDAPConnectionPoolTTL has wrong format'
      server.poolTtl = time < 0 ? Number.POSITIVE_INFINITY : time
      return undefined
    },
  }),
  LDAPRetries: setting('how often a failed operation is tried again', (server, word) => {
    const retries = leadingNumber(word)
    if (retries < 0) return 'LDAPRetries must be >= 0'
    server.retries = retries
    return undefined
  }),
  LDAPRetryDelay: setting('time to wait before an operation is tried again', (server, word) => {
    const time = timeOf(word)
    if (time === undefined) return 'LDAPRetryDelay has wrong format'
    if (time < 0) return 'LDAPRetryDelay must be >= 0'
    server.retryDelay = time
    return undefined
  }),
}

const LARGEST_CACHE = 64 * 1024 * 1024

/** The mode of LDAPTrustedMode and of the second argument of AuthLDAPURL, in any case. */
function securityOf(word: string): 'none' | 'ssl' | 'starttls' | undefined {
  switch (word.toLowerCase()) {
    case 'none':
      return 'none'
    case 'ssl':
      return 'ssl'
    case 'tls':
    case 'starttls':
      return 'starttls'
    default:
      return undefined
  }
}

/** The number at the start of a word, as atol(3) reads it; 0 if there is none. */
function leadingNumber(word: string): number {
  const number = Number.parseInt(word, 10)
  return Number.isNaN(number) ? 0 : number
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1000],
  ['s', 1000],
  ['ms', 1],
  ['mi', 60_000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/** A time with a unit, seconds without one, in milliseconds; undefined if it is none. */
function timeOf(word: string): number | undefined {
  const [, digits, unit = ''] = /^([-+]?\d+)([a-z]*)$/i.exec(word) ?? []
  const factor = UNITS.get(unit.toLowerCase().replace(/^min$/, 'mi').replace(/^sec$/, 's'))
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor
}
