import type { TrustedFile } from './trusted-file.ts'

/** How connections are secured. */
export type Security = 'none' | 'ssl' | 'starttls'

/** Configuration of the main server, of which virtual hosts may change two values. Times are in milliseconds. */
export interface LdapServerSettings {
  /** LDAPSharedCacheSize in bytes; 0 for a cache of each process alone. */
  sharedCacheSize: number
  /** LDAPCacheEntries: users of each URL that are remembered. */
  cacheEntries: number
  /** LDAPCacheTTL; users are not remembered with 0 or less. */
  cacheTtl: number
  /** LDAPOpCacheEntries: comparisons of each URL that are remembered. */
  opCacheEntries: number
  /** LDAPOpCacheTTL; comparisons are not remembered with 0 or less. */
  opCacheTtl: number
  /** LDAPTrustedGlobalCert. */
  readonly trusted: TrustedFile[]
  /** LDAPTrustedMode; undefined means not set. */
  security?: Security
  /** LDAPVerifyServerCert. */
  verifies: boolean
  /** LDAPConnectionTimeout; 0 for no limit. */
  connectionTimeout: number
  /** LDAPTimeout; 0 for no limit. */
  operationTimeout: number
  /** LDAPConnectionPoolTTL; 0 means that connections are not used again, undefined that it is not set. */
  poolTtl?: number
  /** LDAPRetries. */
  retries: number
  /** LDAPRetryDelay. */
  retryDelay: number
}

/** Configuration of one section, or of several merged ones. */
export interface LdapSectionSettings {
  /** LDAPReferrals; undefined means not set, for which the default is on. */
  referrals?: boolean
  /** LDAPReferralHopLimit; undefined means not set. */
  hopLimit?: number
  /** LDAPTrustedClientCert. */
  readonly clientCertificates: TrustedFile[]
}

export function createServerSettings(): LdapServerSettings {
  return {
    sharedCacheSize: 500_000,
    cacheEntries: 1024,
    cacheTtl: 600_000,
    opCacheEntries: 1024,
    opCacheTtl: 600_000,
    trusted: [],
    verifies: true,
    connectionTimeout: 10_000,
    operationTimeout: 60_000,
    retries: 3,
    retryDelay: 0,
  }
}

/** All but two directives belong to the main server. */
export function mergeServerSettings(base: Readonly<LdapServerSettings>, over: Readonly<LdapServerSettings>): LdapServerSettings {
  return { ...base, security: over.security ?? base.security, poolTtl: over.poolTtl ?? base.poolTtl }
}

export function createSectionSettings(): LdapSectionSettings {
  return { clientCertificates: [] }
}

export function mergeSectionSettings(
  base: Readonly<LdapSectionSettings>,
  over: Readonly<LdapSectionSettings>,
): LdapSectionSettings {
  return {
    referrals: over.referrals ?? base.referrals,
    hopLimit: over.hopLimit ?? base.hopLimit,
    clientCertificates: [...base.clientCertificates, ...over.clientCertificates],
  }
}
