import type { KeyObject } from 'node:crypto'
import type { ClientHello } from '../client-hello.ts'
import type { PreparedServer } from '../start/prepare-server.ts'

const TLS_1_3 = 0x0304
/** Signature schemes of TLS 1.3 by the keys that can make them (RFC 8446, section 4.2.3). */
const SCHEMES: ReadonlyMap<string, readonly number[]> = new Map([
  ['prime256v1', [0x0403]],
  ['secp384r1', [0x0503]],
  ['secp521r1', [0x0603]],
  ['ed25519', [0x0807]],
  ['ed448', [0x0808]],
  ['rsa', [0x0804, 0x0805, 0x0806]],
])

/**
 * The pair of a server that OpenSSL presents to a client, by its index. Undefined where it is not known before the
 * handshake: with several pairs and an older version, or an order of the server's own.
 */
export function presentedPair(
  { pairs, context }: PreparedServer,
  { versions, signatureAlgorithms }: ClientHello,
): number | undefined {
  if (pairs.length === 1) return 0
  const isModern = context.maxVersion === 'TLSv1.3' && versions.includes(TLS_1_3)
  if (!isModern || context.honorCipherOrder === true || context.sigalgs !== undefined) return undefined
  for (const scheme of signatureAlgorithms) {
    const index = pairs.findIndex(({ parsed }) => SCHEMES.get(kindOf(parsed.publicKey))?.includes(scheme) === true)
    if (index >= 0) return index
  }
  return undefined
}

function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string {
  return asymmetricKeyType === 'ec' ? (asymmetricKeyDetails?.namedCurve ?? '') : (asymmetricKeyType ?? '')
}
