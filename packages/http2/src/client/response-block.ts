import { HeaderFields, isFieldValue, isLength } from '@gatewright/http/messages'
import { CONNECTION_FIELDS, http1Name, isLowerToken } from '../field-rules.ts'
import type { FieldSink } from '../hpack/decoder.ts'

/** All fields of a block may have this many bytes, names and values, and the RFC's 32 for each. */
const LIST_MAX = 256 * 1024

const STATUS = /^[1-9]\d\d$/
const COLON = 58

/** Collects the fields of a header block of a response and judges them (RFC 9113 section 8), as strictly as nghttp2. */
export class ResponseBlock implements FieldSink {
  /** From 100 to 999; 0 for trailers. */
  status = 0
  /** The value of Content-Length; -1 if there is none. */
  contentLength = -1
  isMalformed = false
  /** The fields are more than any response needs. */
  isBomb = false
  readonly #kind: 'head' | 'trailers'
  /** Names and values in turn. */
  readonly #list: string[] = []
  #size = 0
  #isRegular = false

  constructor(kind: 'head' | 'trailers') {
    this.#kind = kind
  }

  /** A response with one of these is followed by another one. */
  get isInterim(): boolean {
    return this.status >= 100 && this.status < 200
  }

  field(name: string, value: string): void {
    this.#size += name.length + value.length + 32
    if (this.isMalformed) return
    // The rest of the block is decoded for the sake of the table, and forgotten.
    if (this.#size > LIST_MAX) this.isBomb = true
    else if (name.charCodeAt(0) === COLON) this.#pseudo(name, value)
    else this.#regular(name, value)
  }

  /** The block is complete. */
  finish(): void {
    if (this.#kind === 'trailers') return
    // A change of the protocol does not exist in HTTP/2 (section 8.6).
    if (this.status === 0 || this.status === 101) this.isMalformed = true
  }

  /** The fields in the order in which they arrived, those of one name apart, with names as in HTTP/1.1. */
  fields(): HeaderFields {
    return HeaderFields.apart(this.#list)
  }

  #pseudo(name: string, value: string): void {
    if (this.#kind === 'trailers' || this.#isRegular || this.status !== 0 || name !== ':status' || !STATUS.test(value)) {
      this.isMalformed = true
      return
    }
    this.status = Number(value)
  }

  #regular(name: string, value: string): void {
    this.#isRegular = true
    if (!isLowerToken(name) || !isFieldValue(value) || isPadded(value) || CONNECTION_FIELDS.has(name)) {
      this.isMalformed = true
      return
    }
    if (name === 'content-length') {
      // Two lengths are two readings, even if they are equal.
      if (this.contentLength >= 0 || !isLength(value)) {
        this.isMalformed = true
        return
      }
      this.contentLength = Number(value)
      if (this.#kind === 'trailers') return
    }
    this.#list.push(http1Name(name), value)
  }
}

/** White space at either end makes a field malformed (section 8.2.1). */
function isPadded(value: string): boolean {
  return value !== '' && (isBlank(value.charCodeAt(0)) || isBlank(value.charCodeAt(value.length - 1)))
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}
