import { createHash, timingSafeEqual } from 'node:crypto'
import type { DigestCredentials } from './authorization.ts'

/** Used instead of the hash of an unknown user, so that the computation takes the same time. */
const UNKNOWN_USER = '0'.repeat(32)

/**
 * Whether the client knows the password.
 * @param stored MD5 hash of `user:realm:password` in hexadecimal; undefined for an unknown user
 * @param method as the client sent it
 */
export function provesPassword(credentials: DigestCredentials, stored: string | undefined, method: string): boolean {
  const expected = Buffer.from(response(credentials, stored ?? UNKNOWN_USER, `${method}:${credentials.uri}`), 'latin1')
  const given = Buffer.from(credentials.response, 'latin1')
  return expected.length === given.length && timingSafeEqual(expected, given) && stored !== undefined
}

/** `rspauth`: proves that the server knows the password too. */
export function serverProof(credentials: DigestCredentials, stored: string): string {
  return response(credentials, stored, `:${credentials.uri}`)
}

function response({ nonce, count, cnonce, qop }: DigestCredentials, stored: string, subject: string): string {
  return md5(`${stored}:${nonce}:${count}:${cnonce}:${qop ?? ''}:${md5(subject)}`)
}

function md5(text: string): string {
  return createHash('md5').update(text, 'latin1').digest('hex')
}
