import { type Algorithm, readAlgorithm } from '../algorithm.ts'
import { DerReader } from '../der-reader.ts'
import { contextConstructed, contextPrimitive, ENUMERATED, OCTET_STRING, SEQUENCE } from '../der-tags.ts'
import { readBits, readOid, readSmallInteger } from '../der-values.ts'
import { derSequence, derValue } from '../der-writer.ts'
import { extensionValue, readExtensions } from '../extension.ts'
import { type Malformed, MalformedError, orMalformed } from '../malformed.ts'
import { type CertificateTime, readTime } from '../time.ts'
import { type CertificateId, readCertificateId } from './certificate-id.ts'
import { OCSP_NONCE } from './request.ts'

const BASIC = '1.3.6.1.5.5.7.48.1.1'
const TRY_LATER = 3

/** Whether a certificate is revoked; `unknown` if the responder does not know it. */
export type CertificateStatus = 'good' | 'revoked' | 'unknown'

/** The status of one certificate. */
export interface SingleResponse {
  readonly id: CertificateId
  readonly status: CertificateStatus
  /** The number of the reason (RFC 5280, section 5.3.1); undefined if none is stated. */
  readonly reason: number | undefined
  readonly thisUpdate: CertificateTime
  readonly nextUpdate: CertificateTime | undefined
}

/** What a responder answers (RFC 6960, section 4.2). */
export interface OcspResponse {
  /** 0 for an answer; other numbers are errors. */
  readonly status: number
  /** Undefined without an answer. */
  readonly basic: BasicResponse | undefined
}

/** A signed answer. */
export interface BasicResponse {
  /** What is signed. */
  readonly signedPart: Buffer
  /** Object identifier. */
  readonly signatureAlgorithm: Algorithm
  readonly signature: Buffer
  /** The signer: the DER of its name, or the SHA-1 hash of its key. */
  readonly responder: { readonly name: Buffer } | { readonly keyHash: Buffer }
  readonly responses: readonly SingleResponse[]
  /** The contents of the nonce's OCTET STRING; undefined without a nonce. */
  readonly nonce: Buffer | undefined
  /** DER of the certificates that the responder sent along. */
  readonly certificates: readonly Buffer[]
}

/** The DER of the error `tryLater`. */
export function ocspTryLater(): Buffer {
  return derSequence(derValue(ENUMERATED, Buffer.from([TRY_LATER])))
}

/** Parses a response. It checks neither signature nor times. */
export function parseOcspResponse(der: Uint8Array): OcspResponse | Malformed {
  const bytes = Buffer.from(der.buffer, der.byteOffset, der.byteLength)
  return orMalformed(() => {
    const outside = new DerReader(bytes)
    const reader = outside.enter(SEQUENCE)
    outside.finish()
    const status = readSmallInteger(reader, ENUMERATED)
    const body = reader.optional(contextConstructed(0))
    reader.finish()
    return { status, basic: body === undefined ? undefined : readBody(reader.inside(body)) }
  })
}

function readBody(reader: DerReader): BasicResponse {
  const inside = reader.enter(SEQUENCE)
  reader.finish()
  const at = inside.at
  if (readOid(inside) !== BASIC) throw new MalformedError('a basic response expected', at)
  const contents = inside.contents(inside.next(OCTET_STRING))
  inside.finish()
  const outside = new DerReader(contents)
  const basic = outside.enter(SEQUENCE)
  outside.finish()
  const part = basic.next(SEQUENCE)
  const signatureAlgorithm = readAlgorithm(basic)
  const signature = readBits(basic).bytes
  const list = basic.optional(contextConstructed(0))
  basic.finish()
  return {
    signedPart: basic.whole(part),
    signatureAlgorithm,
    signature,
    ...readSignedPart(basic.inside(part)),
    certificates: list === undefined ? [] : wholeValues(basic.inside(list).enter(SEQUENCE)),
  }
}

function readSignedPart(reader: DerReader): Pick<BasicResponse, 'responder' | 'responses' | 'nonce'> {
  reader.optional(contextConstructed(0))
  const responder = readResponder(reader)
  readTime(reader)
  const responses: SingleResponse[] = []
  for (const list = reader.enter(SEQUENCE); list.more; ) responses.push(readSingle(list.enter(SEQUENCE)))
  const more = reader.optional(contextConstructed(1))
  const extensions = more === undefined ? [] : readExtensions(reader.inside(more))
  reader.finish()
  const nonce = extensionValue(extensions, OCSP_NONCE)
  return { responder, responses, nonce: nonce === undefined ? undefined : nonceIn(nonce) }
}

function readResponder(reader: DerReader): BasicResponse['responder'] {
  const byName = reader.optional(contextConstructed(1))
  if (byName !== undefined) {
    const inside = reader.inside(byName)
    return { name: inside.whole(inside.next(SEQUENCE)) }
  }
  const byKey = reader.enter(contextConstructed(2))
  return { keyHash: byKey.contents(byKey.next(OCTET_STRING)) }
}

function readSingle(reader: DerReader): SingleResponse {
  const id = readCertificateId(reader)
  const { status, reason } = readStatus(reader)
  const thisUpdate = readTime(reader)
  const next = reader.optional(contextConstructed(0))
  const nextUpdate = next === undefined ? undefined : readTime(reader.inside(next))
  const extensions = reader.optional(contextConstructed(1))
  // What an extension that must be understood changes is not known.
  const isClear = extensions === undefined || readExtensions(reader.inside(extensions)).every(({ critical }) => !critical)
  reader.finish()
  return { id, status: isClear ? status : 'unknown', reason, thisUpdate, nextUpdate }
}

function readStatus(reader: DerReader): Pick<SingleResponse, 'status' | 'reason'> {
  if (reader.optional(contextPrimitive(0)) !== undefined) return { status: 'good', reason: undefined }
  if (reader.optional(contextPrimitive(2)) !== undefined) return { status: 'unknown', reason: undefined }
  const revoked = reader.enter(contextConstructed(1))
  readTime(revoked)
  const reason = revoked.optional(contextConstructed(0))
  return { status: 'revoked', reason: reason === undefined ? undefined : readSmallInteger(revoked.inside(reason), ENUMERATED) }
}

/** Some responders leave the inner OCTET STRING out. */
function nonceIn(value: Buffer): Buffer {
  const inside = orMalformed(() => {
    const reader = new DerReader(value)
    const contents = reader.contents(reader.next(OCTET_STRING))
    reader.finish()
    return contents
  })
  return Buffer.isBuffer(inside) ? inside : value
}

function wholeValues(reader: DerReader): readonly Buffer[] {
  const values: Buffer[] = []
  while (reader.more) values.push(reader.whole(reader.next(SEQUENCE)))
  return values
}
