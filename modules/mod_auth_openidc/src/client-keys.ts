import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { Command } from '@gatewright/api'
import { type CryptoKey, calculateJwkThumbprint, exportJWK, importPKCS8, type JWK } from 'jose'

/** A private key of this client: OIDCPrivateKeyFiles. */
export interface ClientKey {
  readonly key: KeyObject
  /** The name that the configuration gives to it; null for one that is made from the key. */
  readonly kid: string | null
}

/** The shortest RSA key in bits that may sign (RFC 7518, section 3.3). */
const SHORTEST_RSA = 2_048
const EC_ALGORITHMS: Readonly<Record<string, string>> = { prime256v1: 'ES256', secp384r1: 'ES384', secp521r1: 'ES512' }

/** Reads `[KID#]FILE`. @returns what is wrong with it as a text */
export function readClientKey(text: string, command: Command): ClientKey | string {
  const hash = text.indexOf('#')
  const kid = hash > 0 ? text.slice(0, hash) : null
  const path = command.serverRelative(text.slice(hash + 1))
  const pem = command.services.readFile(path)
  if (typeof pem !== 'string') return `${command.name}: cannot read ${path}: ${pem.message}`
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    return `${command.name}: ${path} is not a private key in PEM without a password`
  }
  return algorithmOf(key) === null
    ? `${command.name}: the key in ${path} must be RSA with at least ${SHORTEST_RSA} bits, or EC with the curve P-256, P-384 or P-521`
    : { key, kid }
}

/** The algorithm of a key's signatures; null for a key that must not sign. */
function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): string | null {
  if (asymmetricKeyType === 'rsa') return (details?.modulusLength ?? 0) >= SHORTEST_RSA ? 'RS256' : null
  return asymmetricKeyType === 'ec' ? (EC_ALGORITHMS[details?.namedCurve ?? ''] ?? null) : null
}

/** A key in the form in which it signs. */
export async function signingKey(own: ClientKey): Promise<{ readonly key: CryptoKey; readonly kid: string }> {
  const { kid } = await publicKeyOf(own)
  const pem = String(own.key.export({ type: 'pkcs8', format: 'pem' }))
  return { key: await importPKCS8(pem, algorithmOf(own.key) ?? ''), kid }
}

/** The public half of a key, as the provider gets it at the redirect URI with `?jwks=rsa`. */
export async function publicKeyOf({ key, kid }: ClientKey): Promise<JWK & { readonly kid: string }> {
  const jwk = await exportJWK(createPublicKey(key))
  return { ...jwk, kid: kid ?? (await nameOf(jwk)), use: 'sig', alg: algorithmOf(key) ?? undefined }
}

/**
 * The name of a key without one: for RSA that of mod_auth_openidc, so that keys that providers know keep theirs; else the thumbprint of
 * RFC 7638.
 */
function nameOf(jwk: JWK): Promise<string> | string {
  const { n, e } = jwk
  if (n === undefined || e === undefined) return calculateJwkThumbprint(jwk)
  return createHash('sha256').update(n, 'base64url').update(e, 'base64url').digest('base64url')
}
