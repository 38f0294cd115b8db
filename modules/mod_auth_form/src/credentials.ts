import { createHash, timingSafeEqual } from 'node:crypto'

/** What a client claims to be. Strings have one byte per character. */
export interface Credentials {
  readonly user: string
  readonly password: string
}

/** What AuthFormFakeBasicAuth sends to handlers and backends. */
export function basicAuthorization({ user, password }: Credentials): string {
  return `Basic ${Buffer.from(`${user}:${password}`, 'latin1').toString('base64')}`
}

/** What a session has of a user whose password was verified: MD5 of name and AuthFormSitePassphrase in hexadecimal. */
export function siteHash(user: string, passphrase: string): string {
  return createHash('md5')
    .update(Buffer.from(`${user}:${passphrase}`, 'latin1'))
    .digest('hex')
}

/** Whether a session has the hash that only this site can have made. */
export function isOfSite(user: string, hash: string, passphrase: string): boolean {
  const expected = Buffer.from(siteHash(user, passphrase), 'latin1')
  const given = Buffer.from(hash, 'latin1')
  return expected.length === given.length && timingSafeEqual(expected, given)
}
