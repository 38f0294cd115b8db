import type { AuthnProvider } from '@gatewright/api'

/** A provider that holds hashes for Digest authentication. */
export type HashingProvider = AuthnProvider & Required<Pick<AuthnProvider, 'realmHash'>>

export function canHash(provider: AuthnProvider | undefined): provider is HashingProvider {
  return provider?.realmHash !== undefined
}

/** What one section says. As in httpd sections are not merged: the last one with any of these directives counts alone. */
export interface DigestConfig {
  /** AuthDigestProvider, in the order they are asked. */
  providers?: HashingProvider[]
  /** AuthDigestDomain: URIs as written. */
  domain?: string[]
  /** AuthDigestNonceLifetime in seconds: 0 is one use, below 0 is for ever. */
  nonceLifetime?: number
  /** AuthDigestNcCheck. */
  checkCount?: boolean
}

/** Seconds that a nonce is accepted where nothing is said. */
const LIFETIME = 300

export function lifetimeOf(config: Readonly<DigestConfig>): number {
  return config.nonceLifetime ?? LIFETIME
}

/** True when the server has to remember what a client has used. */
export function remembersClients(config: Readonly<DigestConfig>): boolean {
  return config.checkCount === true || config.nonceLifetime === 0
}

/** For the whole server. */
export interface ClientMemory {
  /** AuthDigestShmemSize in bytes. */
  bytes?: number
}
