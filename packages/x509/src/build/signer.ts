import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { derBits, derNull, derOid, derSequence } from '../der-writer.ts'

const RSA_WITH_SHA256 = '1.2.840.113549.1.1.11'
/** The signature algorithm and digest for each curve, as strong as the curve (RFC 5758, section 3.2). */
const BY_CURVE: ReadonlyMap<string, readonly [oid: string, digest: string]> = new Map([
  ['prime256v1', ['1.2.840.10045.4.3.2', 'sha256']],
  ['secp384r1', ['1.2.840.10045.4.3.3', 'sha384']],
  ['secp521r1', ['1.2.840.10045.4.3.4', 'sha512']],
])
const EDWARDS: ReadonlyMap<string, string> = new Map([
  ['ed25519', '1.3.101.112'],
  ['ed448', '1.3.101.113'],
])

/** How a private key signs: the algorithm to state, and the digest, which is part of the algorithm for Edwards curves. */
interface Method {
  readonly algorithm: Buffer
  readonly digest: string | undefined
}

/** @returns the AlgorithmIdentifier of signatures by this key @throws Error for a key of another type than RSA, ECDSA (P-256, P-384, P-521), Ed25519 and Ed448 */
export function signatureAlgorithm(key: KeyObject): Buffer {
  return methodOf(key).algorithm
}

/**
 * The signed form of certificates and requests: the part, the algorithm, the signature.
 * @param part DER, which states the same algorithm where it states one
 * @throws Error for a type of key that `signatureAlgorithm` refuses
 */
export function signedStructure(part: Buffer, key: KeyObject): Buffer {
  const { algorithm, digest } = methodOf(key)
  return derSequence(part, algorithm, derBits(sign(digest, part, key)))
}

/** The SubjectPublicKeyInfo of a public or private key. */
export function publicKeyInfo(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return publicKey.export({ type: 'spki', format: 'der' })
}

function methodOf(key: KeyObject): Method {
  const type = key.asymmetricKeyType
  if (type === 'rsa') return { algorithm: derSequence(derOid(RSA_WITH_SHA256), derNull()), digest: 'sha256' }
  const edwards = EDWARDS.get(type ?? '')
  if (edwards !== undefined) return { algorithm: derSequence(derOid(edwards)), digest: undefined }
  const curve = type === 'ec' ? (key.asymmetricKeyDetails?.namedCurve ?? '') : ''
  const method = BY_CURVE.get(curve)
  if (method === undefined) throw new Error(`no signature algorithm for keys of type ${curve || type}`)
  return { algorithm: derSequence(derOid(method[0])), digest: method[1] }
}
