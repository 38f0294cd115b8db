import { createHash, createHmac, createPublicKey, type KeyObject, sign } from 'node:crypto'

/** How a key of an account signs (RFC 7518). */
interface Algorithm {
  readonly name: string
  readonly digest: string
}

/** The protected header of a signed message (RFC 8555 section 6.2). */
export interface JwsHeader {
  readonly url: string
  readonly nonce: string
  /** The account's URL; without it the header has the key itself. */
  readonly kid?: string
}

/**
 * A JWS in the flattened form.
 * @param payload null for POST-as-GET
 */
export function signedMessage(key: KeyObject, header: JwsHeader, payload: unknown): string {
  const { name, digest } = algorithmOf(key)
  const { url, nonce, kid } = header
  const who = kid === undefined ? { jwk: publicJwk(key) } : { kid }
  const head = encoded(JSON.stringify({ alg: name, ...who, nonce, url }))
  const body = payload === null ? '' : encoded(JSON.stringify(payload))
  const input = Buffer.from(`${head}.${body}`)
  const signature =
    key.asymmetricKeyType === 'ec' ? sign(digest, input, { key, dsaEncoding: 'ieee-p1363' }) : sign(digest, input, key)
  return JSON.stringify({ protected: head, payload: body, signature: signature.toString('base64url') })
}

/**
 * The binding to an account that a customer has with the CA (RFC 8555 section 7.3.4).
 * @param secret the key of the MAC in Base64 for URLs
 */
export function externalBinding(key: KeyObject, url: string, kid: string, secret: Buffer): unknown {
  const head = encoded(JSON.stringify({ alg: 'HS256', kid, url }))
  const payload = encoded(JSON.stringify(publicJwk(key)))
  const mac = createHmac('sha256', secret).update(`${head}.${payload}`).digest('base64url')
  return { protected: head, payload, signature: mac }
}

/** SHA-256 of the public key in the form of RFC 7638, in Base64 for URLs. */
export function thumbprint(key: KeyObject): string {
  return createHash('sha256')
    .update(JSON.stringify(publicJwk(key)))
    .digest('base64url')
}

/** What proves that the owner of an account answers a challenge (RFC 8555 section 8.1). */
export function keyAuthorization(token: string, key: KeyObject): string {
  return `${token}.${thumbprint(key)}`
}

/** Members in the order that RFC 7638 prescribes. */
function publicJwk(key: KeyObject): Readonly<Record<string, string>> {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  const { crv = '', e = '', kty = '', n = '', x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y }
}

function algorithmOf(key: KeyObject): Algorithm {
  if (key.asymmetricKeyType === 'rsa') return { name: 'RS256', digest: 'sha256' }
  const { namedCurve } = key.asymmetricKeyDetails ?? {}
  if (namedCurve === 'prime256v1') return { name: 'ES256', digest: 'sha256' }
  if (namedCurve === 'secp384r1') return { name: 'ES384', digest: 'sha384' }
  throw new Error(`keys of type ${namedCurve ?? key.asymmetricKeyType} cannot sign for an ACME account`)
}

function encoded(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url')
}
