import { BerReader, ber, MalformedMessage, TAG } from './ber.ts'
import type { LdapScope } from './ldap-url.ts'

/** Tags of the operations of RFC 4511. */
export const OPERATION = {
  bindRequest: 0x60,
  bindResponse: 0x61,
  unbindRequest: 0x42,
  searchRequest: 0x63,
  searchEntry: 0x64,
  searchDone: 0x65,
  compareRequest: 0x6e,
  compareResponse: 0x6f,
  abandonRequest: 0x50,
  searchReference: 0x73,
  extendedRequest: 0x77,
  extendedResponse: 0x78,
} as const

/** RFC 4511 section 4.14. */
const START_TLS = '1.3.6.1.4.1.1466.20037'

const SCOPE_NUMBERS: Readonly<Record<LdapScope, number>> = { base: 0, one: 1, sub: 2 }
const DEREFERENCE_NUMBERS = { never: 0, searching: 1, finding: 2, always: 3 } as const
/** When aliases are dereferenced, RFC 4511 section 4.5.1.3. */
export type Dereference = keyof typeof DEREFERENCE_NUMBERS

/** A search. Text is bytes. */
export interface SearchRequest {
  readonly base: string
  readonly scope: LdapScope
  readonly dereference: Dereference
  /** As {@link encodeFilter} returns it. */
  readonly filter: Uint8Array
  /** Empty for all. */
  readonly attributes: readonly string[]
  /** Without the values of attributes. */
  readonly typesOnly: boolean
}

/** What ends an operation. */
export interface LdapResult {
  /** A code of RFC 4511, or a negative one: see {@link RESULT}. */
  readonly code: number
  /** The server's explanation; '' without one. */
  readonly message: string
  /** URLs of other servers, with the code `referral`. */
  readonly referrals: readonly string[]
}

/** An entry that a search has found. */
export interface LdapEntry {
  readonly dn: string
  /** By names in lower case. */
  readonly attributes: ReadonlyMap<string, readonly string[]>
}

export function bindRequest(dn: string, password: string): Buffer {
  return ber.wrap(OPERATION.bindRequest, ber.integer(3), ber.text(dn), ber.text(password, 0x80))
}

export function searchRequest(search: SearchRequest): Buffer {
  return ber.wrap(
    OPERATION.searchRequest,
    ber.text(search.base),
    ber.integer(SCOPE_NUMBERS[search.scope], TAG.enumerated),
    ber.integer(DEREFERENCE_NUMBERS[search.dereference], TAG.enumerated),
    ber.integer(0),
    ber.integer(0),
    ber.boolean(search.typesOnly),
    search.filter,
    ber.wrap(TAG.sequence, ...search.attributes.map((name) => ber.text(name))),
  )
}

export function compareRequest(dn: string, attribute: string, value: string): Buffer {
  return ber.wrap(OPERATION.compareRequest, ber.text(dn), ber.wrap(TAG.sequence, ber.text(attribute), ber.text(value)))
}

export function startTlsRequest(): Buffer {
  return ber.wrap(OPERATION.extendedRequest, ber.text(START_TLS, 0x80))
}

export function abandonRequest(id: number): Buffer {
  return ber.integer(id, OPERATION.abandonRequest)
}

export function unbindRequest(): Buffer {
  return ber.wrap(OPERATION.unbindRequest)
}

/** The envelope around an operation. */
export function message(id: number, operation: Uint8Array): Buffer {
  return ber.wrap(TAG.sequence, ber.integer(id), operation)
}

/** A message of a server. */
export interface Received {
  /** 0 for one that no request caused. */
  readonly id: number
  /** Tag of the operation. */
  readonly operation: number
  readonly content: BerReader
}

/** @throws MalformedMessage */
export function parseMessage(bytes: Buffer): Received {
  const envelope = new BerReader(bytes).inside(TAG.sequence)
  const id = envelope.integer()
  const operation = envelope.tag
  if (operation === undefined || id < 0) throw new MalformedMessage('an envelope without an operation')
  return { id, operation, content: envelope.inside() }
}

/** @throws MalformedMessage */
export function parseResult(content: BerReader): LdapResult {
  const code = content.integer(TAG.enumerated)
  content.text()
  const text = content.text()
  return { code, message: text, referrals: content.tag === 0xa3 ? texts(content.inside()) : [] }
}

/** @throws MalformedMessage */
export function parseEntry(content: BerReader): LdapEntry {
  const dn = content.text()
  const attributes = new Map<string, string[]>()
  const list = content.inside(TAG.sequence)
  while (!list.atEnd) {
    const attribute = list.inside(TAG.sequence)
    const name = attribute.text().toLowerCase()
    // Servers should send an attribute once (RFC 4511 section 4.5.2). OpenLDAP's library finds the first.
    if (!attributes.has(name)) attributes.set(name, texts(attribute.inside(TAG.set)))
  }
  return { dn, attributes }
}

/** @throws MalformedMessage */
export function parseReference(content: BerReader): string[] {
  return texts(content)
}

function texts(list: BerReader): string[] {
  const found: string[] = []
  while (!list.atEnd) found.push(list.text())
  return found
}
