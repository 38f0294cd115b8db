import { createHash, timingSafeEqual } from 'node:crypto'
import type { AuthnProvider, AuthnStatus, MaybePromise, Request } from '@gatewright/api'
import type { BasicCredentials } from '@gatewright/api/text'

/** A provider with support for Digest authentication. */
export type HashingProvider = AuthnProvider & Required<Pick<AuthnProvider, 'realmHash'>>

export function canHash(provider: AuthnProvider): provider is HashingProvider {
  return provider.realmHash !== undefined
}

/**
 * AuthBasicUseDigestAlgorithm MD5: compares with the hash that the provider stores for Digest authentication
 * in this realm.
 */
export function checkDigest(
  provider: HashingProvider,
  request: Request,
  credentials: BasicCredentials,
  realm: string,
): MaybePromise<AuthnStatus> {
  const stored = provider.realmHash(request, credentials.user, realm)
  return typeof stored === 'string'
    ? compare(stored, credentials, realm)
    : stored.then((late) => compare(late, credentials, realm))
}

function compare(stored: string, { user, password }: BasicCredentials, realm: string): AuthnStatus {
  if (stored === 'not-found' || stored === 'general-error') return stored
  const expected = Buffer.from(stored, 'latin1')
  const given = Buffer.from(
    createHash('md5')
      .update(Buffer.from(`${user}:${realm}:${password}`, 'latin1'))
      .digest('hex'),
    'latin1',
  )
  return expected.length === given.length && timingSafeEqual(expected, given) ? 'granted' : 'denied'
}
