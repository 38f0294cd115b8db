import { createHash } from 'node:crypto'

/** Fields of a challenge, without quotes. */
export type Challenge = Readonly<Record<string, string>>

/** The last challenge of a WWW-Authenticate field. */
export function challengeOf(header: string | undefined): Challenge {
  const last = header?.slice(header.lastIndexOf('Digest ')) ?? ''
  const fields: Record<string, string> = {}
  for (const [, name, quoted, token] of last.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^,\s]+))/g)) fields[name] = quoted ?? token
  return fields
}

/** The claims of a client that knows the password; a test may change any of them. */
export interface Claim {
  readonly user?: string
  readonly password?: string
  readonly realm?: string
  readonly method?: string
  readonly uri: string
  readonly nonce: string
  readonly nc?: string
  readonly cnonce?: string
  readonly qop?: string
  readonly opaque?: string
}

/** The fields of an Authorization header, in the order and notation in which they are sent. */
export function fieldsOf(claim: Claim): Record<string, string> {
  const { user = 'bob', password = 'pw', realm = 'R', method = 'GET', nc = '00000001', cnonce = 'c', qop = 'auth' } = claim
  const stored = md5(`${user}:${realm}:${password}`)
  const response = md5(`${stored}:${claim.nonce}:${nc}:${cnonce}:${qop}:${md5(`${method}:${claim.uri}`)}`)
  return {
    username: quote(user),
    realm: quote(realm),
    nonce: quote(claim.nonce),
    uri: quote(claim.uri),
    response: quote(response),
    qop,
    nc,
    cnonce: quote(cnonce),
    ...(claim.opaque === undefined ? {} : { opaque: quote(claim.opaque) }),
  }
}

export function authorization(claim: Claim, changes: Readonly<Record<string, string | null>> = {}): string {
  const fields = Object.entries({ ...fieldsOf(claim), ...changes }).filter(([, value]) => value !== null)
  return `Digest ${fields.map(([name, value]) => `${name}=${value}`).join(', ')}`
}

export function md5(text: string): string {
  return createHash('md5').update(text, 'latin1').digest('hex')
}

export function quote(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
