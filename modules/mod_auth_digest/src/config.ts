import type { AuthnProvider } from '@gatewright/api'

/** A provider that supplies hashes for Digest authentication. */
export type HashingProvider = AuthnProvider & Required<Pick<AuthnProvider, 'realmHash'>>

export function canHash(provider: AuthnProvider | undefined): provider is HashingProvider {
  return provider?.realmHash !== undefined
}

/**
 * Configuration of one section. As in httpd, sections are not merged: only the last one with any of these
 * directives counts.
 */
export interface DigestConfig {
  /** AuthDigestProvider, in order. */
  providers?: HashingProvider[]
  /** AuthDigestDomain, as written. */
  domain?: string[]
  /** AuthDigestNonceLifetime in seconds; 0 for one-time nonces, below 0 for nonces that never expire. */
  nonceLifetime?: number
  /** AuthDigestNcCheck. */
  checkCount?: boolean
}

/** Default of AuthDigestNonceLifetime, in seconds. */
const LIFETIME = 300

export function lifetimeOf(config: Readonly<DigestConfig>): number {
  return config.nonceLifetime ?? LIFETIME
}

/** Whether the configuration requires a record of each client. */
export function needsClientRecords(config: Readonly<DigestConfig>): boolean {
  return config.checkCount === true || config.nonceLifetime === 0
}

/** How long records of clients whose nonces are not limited in time are kept, in milliseconds. */
const LONGEST_LIFE = 24 * 60 * 60 * 1000

/** Milliseconds for which a client is remembered after it has used a nonce: as long as it can use one. */
export function recordLifeOf(config: Readonly<DigestConfig>): number {
  const lifetime = lifetimeOf(config) * 1000
  return lifetime > 0 ? Math.min(lifetime + 60_000, LONGEST_LIFE) : LONGEST_LIFE
}

/** Configuration of the whole server. */
export interface ClientMemory {
  /** AuthDigestShmemSize in bytes. */
  bytes?: number
}
