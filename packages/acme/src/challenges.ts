import { createHash, type KeyObject } from 'node:crypto'
import { type JsonObject, objectsOf, textOf } from './json-fields.ts'
import { keyAuthorization } from './jws.ts'

/** The kinds of proof that this client can give. */
export type ChallengeType = 'http-01' | 'tls-alpn-01' | 'dns-01'

export function isChallengeType(text: string): text is ChallengeType {
  return text === 'http-01' || text === 'tls-alpn-01' || text === 'dns-01'
}

/** A challenge that is to be answered before the CA looks. */
export interface PreparedChallenge {
  readonly type: ChallengeType
  /** The name to be proven, without the `*.` of a wildcard. */
  readonly domain: string
  readonly token: string
  /** What the answer consists of. */
  readonly keyAuthorization: string
}

/** A challenge that a CA offers. */
export interface OfferedChallenge extends PreparedChallenge {
  readonly url: string
}

/** The challenges of an authorization that this client knows, with their answers. */
export function offeredChallenges(authorization: JsonObject, domain: string, key: KeyObject): readonly OfferedChallenge[] {
  return objectsOf(authorization, 'challenges').flatMap((one) => {
    const type = textOf(one, 'type')
    const [token, url] = [textOf(one, 'token'), textOf(one, 'url')]
    // The token becomes part of a path and of a file (RFC 8555 section 8.1).
    if (!isChallengeType(type) || !/^[\w-]{1,256}$/.test(token) || url === '') return []
    return [{ type, domain, token, url, keyAuthorization: keyAuthorization(token, key) }]
  })
}

/** Names of all kinds that an authorization offers, for messages. */
export function offeredTypes(authorization: JsonObject): readonly string[] {
  return objectsOf(authorization, 'challenges').map((one) => textOf(one, 'type'))
}

/** What the certificate of a tls-alpn-01 answer contains (RFC 8737 section 3). */
export function digestOf({ keyAuthorization }: PreparedChallenge): Buffer {
  return createHash('sha256').update(keyAuthorization).digest()
}

/** The TXT record of a dns-01 answer (RFC 8555 section 8.4). */
export function dnsRecordOf(challenge: PreparedChallenge): string {
  return digestOf(challenge).toString('base64url')
}
