import { AcmeFailure } from './acme-failure.ts'
import { statusFailure } from './failure-of.ts'
import type { HttpsClient } from './https-client.ts'
import { objectOf, parseObject, textOf } from './json-fields.ts'

/** What a CA offers (RFC 8555 section 7.1.1). */
export interface Directory {
  readonly newNonce: string
  readonly newAccount: string
  readonly newOrder: string
  /** '' when the CA does not have it (RFC 9773). */
  readonly renewalInfo: string
  /** URL of the terms of service; '' without. */
  readonly termsOfService: string
  readonly externalAccountRequired: boolean
  /** Names of the profiles that may be ordered; none when the CA has none. */
  readonly profiles: readonly string[]
}

/** @throws AcmeFailure when it cannot be read or lacks a service */
export async function readDirectory(client: HttpsClient, url: string): Promise<Directory> {
  const reply = await client.exchange({ method: 'GET', url })
  if (reply.status !== 200) throw statusFailure(reply)
  const object = parseObject(reply.body, url)
  const meta = objectOf(object, 'meta')
  const directory: Directory = {
    newNonce: textOf(object, 'newNonce'),
    newAccount: textOf(object, 'newAccount'),
    newOrder: textOf(object, 'newOrder'),
    renewalInfo: textOf(object, 'renewalInfo'),
    termsOfService: textOf(meta, 'termsOfService'),
    externalAccountRequired: meta.externalAccountRequired === true,
    profiles: Object.keys(objectOf(meta, 'profiles')),
  }
  if (directory.newNonce !== '' && directory.newAccount !== '' && directory.newOrder !== '') return directory
  throw new AcmeFailure(`Unable to understand ACME server response from <${url}>. Wrong ACME protocol version or link?`)
}
