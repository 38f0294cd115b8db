import { HeaderFields, isFieldValue, isLength, isToken, type MessageLimits, type Refusal } from '@gatewright/http/messages'
import { CONNECTION_FIELDS, http1Name, isLowerToken } from './field-rules.ts'
import type { FieldSink } from './hpack/decoder.ts'

/** All fields of a block may have this many bytes, names and values, and the RFC's 32 for each. */
const LIST_MAX = 65_536

const OF_HTTP = /^https?$/i
const SCHEME = /^[A-Za-z][A-Za-z0-9+\-.]*$/
const AUTHORITY = /^[A-Za-z0-9\-._~!$&'()*+,;=:@[\]%]+$/
const PATH = /^[\x21-\x7e\x80-\xff]+$/
const COOKIE = 'cookie'

/**
 * Collects the fields of a header block and judges them (RFC 9113 section 8): `isMalformed` then says whether it is no
 * request, and `refusal` whether one exceeds the limits of the server.
 */
export class RequestHead implements FieldSink {
  method = ''
  scheme = ''
  authority: string | null = null
  path = ''
  /** Of an extended CONNECT (RFC 8441); '' for others. */
  protocol = ''
  /** -1 if there is none. */
  contentLength = -1
  /** The value of the field Priority; null without. */
  priority: string | null = null
  isMalformed = false
  refusal: Refusal | null = null
  /** The method exceeds a limit: like httpd, the server resets the stream, and responds with nothing. */
  isDropped = false
  /** What the error log says about a request that exceeds a limit. */
  excess: { readonly code: string; readonly text: string } | null = null
  /** Bytes of names and values. */
  bytes = 0
  /** The block is much longer when decoded than any request needs. */
  isBomb = false
  readonly #kind: 'request' | 'trailers'
  readonly #limits: MessageLimits
  /** Names and values in turn. */
  readonly #list: string[] = []
  #listSize = 0
  #count = 0
  #cookieAt = -1
  #hostAt = -1
  #isRegular = false
  /** Lengths of joined values by name; null while none of them can be too long. */
  #lengths: Map<string, number> | null = null

  constructor(kind: 'request' | 'trailers', limits: MessageLimits) {
    this.#kind = kind
    this.#limits = limits
  }

  field(name: string, value: string): void {
    this.#listSize += name.length + value.length + 32
    this.bytes += name.length + value.length
    if (this.isMalformed) return
    // The rest of the block is decoded for the sake of the table, and forgotten.
    if (this.#listSize > LIST_MAX) {
      this.isBomb = true
      this.#exceeds(TOO_MANY, 'AH10181', 'Number of request headers exceeds LimitRequestFields')
      return
    }
    if (name.charCodeAt(0) === COLON) this.#pseudo(name, value)
    else this.#regular(name, value)
  }

  /** The block is complete. */
  finish(): void {
    if (this.isMalformed || this.#kind === 'trailers') return
    const namesHost = this.authority !== null || this.#hostAt >= 0
    if (this.method === 'CONNECT' && this.protocol === '') {
      this.isMalformed = this.scheme !== '' || this.path !== '' || this.authority === null
      return
    }
    const isWhole = this.method !== '' && this.scheme !== '' && this.path !== '' && namesHost
    const isPath = this.path.charCodeAt(0) === SLASH || (this.path === '*' && this.method === 'OPTIONS')
    // The paths of other schemes have their own rules; such a request is answered with 400.
    if (!isWhole || (!isPath && OF_HTTP.test(this.scheme))) this.isMalformed = true
    if (this.protocol !== '' && this.method !== 'CONNECT') this.isMalformed = true
  }

  /** The fields in the order in which they arrived, after Host. Repeated ones are joined. */
  fields(): HeaderFields {
    const list = this.#list
    if (this.authority !== null) {
      if (this.#hostAt >= 0) list.splice(this.#hostAt, 2)
      list.unshift('Host', this.authority)
    }
    return HeaderFields.of(list)
  }

  #pseudo(name: string, value: string): void {
    if (this.#isRegular || this.#kind === 'trailers' || value === '') return this.#malformed()
    switch (name) {
      case ':method':
        if (this.method !== '' || !isToken(value)) this.#malformed()
        this.method = value
        if (this.#isTooLong(name, value)) this.isDropped = true
        return
      case ':scheme':
        if (this.scheme !== '' || !(value === 'https' || value === 'http' || SCHEME.test(value))) this.#malformed()
        this.scheme = value
        this.#isTooLong(name, value)
        return
      case ':authority':
        if (this.authority !== null || !AUTHORITY.test(value)) this.#malformed()
        this.authority = value
        return this.#checkSize(name, value.length)
      case ':path':
        if (this.path !== '' || !PATH.test(value)) this.#malformed()
        this.path = value
        this.#isTooLong(name, value)
        return
      case ':protocol':
        if (this.protocol !== '' || !isToken(value)) this.#malformed()
        this.protocol = value
        return
      default:
        this.#malformed()
    }
  }

  #regular(name: string, value: string): void {
    this.#isRegular = true
    if (!isLowerToken(name) || !isFieldValue(value) || CONNECTION_FIELDS.has(name)) return this.#malformed()
    if (name === 'te' && value.toLowerCase() !== 'trailers') return this.#malformed()
    if (name === 'host') {
      if (this.#hostAt >= 0 || !AUTHORITY.test(value)) return this.#malformed()
      this.#hostAt = this.#list.length
    } else if (name === 'content-length') {
      if (this.contentLength >= 0 || !isLength(value)) return this.#malformed()
      this.contentLength = Number(value)
      // The length of what has arrived is no news, and no later reader should take it for another.
      if (this.#kind === 'trailers') return
    } else if (name === 'priority') this.priority = value
    this.#count++
    const { limitRequestFields } = this.#limits
    if (limitRequestFields > 0 && this.#count > limitRequestFields) {
      this.#exceeds(TOO_MANY, 'AH10181', `Number of request headers exceeds LimitRequestFields(${limitRequestFields})`)
    }
    this.#checkSize(name, this.#joined(name, value))
    if (this.refusal !== null) return
    // RFC 9113 section 8.2.3: a cookie that was sent in parts.
    if (name === COOKIE && this.#cookieAt >= 0) {
      this.#list[this.#cookieAt + 1] += `; ${value}`
      return
    }
    if (name === COOKIE) this.#cookieAt = this.#list.length
    this.#list.push(http1Name(name), trimmed(value))
  }

  #isTooLong(name: string, value: string): boolean {
    if (value.length <= this.#limits.limitRequestLine) return false
    this.#exceeds(TOO_LONG, 'AH10178', pseudoText(name))
    return true
  }

  /** The length of a field's value with those of the same name before it: LimitRequestFieldSize is for all of them. */
  #joined(name: string, value: string): number {
    // A head that is shorter as a whole has no field that is longer.
    if (this.#lengths === null && this.bytes <= this.#limits.limitRequestFieldSize) return value.length
    this.#lengths ??= lengthsOf(this.#list)
    const key = http1Name(name)
    const before = this.#lengths.get(key)
    const length = before === undefined ? value.length : before + 2 + value.length
    this.#lengths.set(key, length)
    return length
  }

  #checkSize(name: string, length: number): void {
    const { limitRequestFieldSize } = this.#limits
    if (name.length + length + 2 <= limitRequestFieldSize) return
    if (name.charCodeAt(0) === COLON) return this.#exceeds(TOO_LARGE, 'AH10178', pseudoText(name))
    this.#exceeds(TOO_LARGE, 'AH10180', `Request header exceeds LimitRequestFieldSize(${limitRequestFieldSize}): ${name}`)
  }

  /** The first violation counts. */
  #exceeds(refusal: Refusal, code: string, text: string): void {
    if (this.refusal !== null) return
    this.refusal = refusal
    this.excess = { code, text }
  }

  #malformed(): void {
    this.isMalformed = true
  }
}

const COLON = 58
const SLASH = 47
const FIELDS_NOTE = 'The number of request header fields exceeds this server&#39;s limit.'
const SIZE_NOTE = 'Size of a request header field exceeds server limit.'

// The connection reports the excess.
const TOO_MANY: Refusal = { status: 431, note: FIELDS_NOTE, log: null, silent: false }
const TOO_LARGE: Refusal = { status: 431, note: SIZE_NOTE, log: null, silent: false }
const TOO_LONG: Refusal = { status: 414, note: '', log: null, silent: false }

/** Lengths of the values of fields, those of the same name joined. @param list names and values in turn */
function lengthsOf(list: readonly string[]): Map<string, number> {
  const lengths = new Map<string, number>()
  for (let i = 0; i < list.length; i += 2) {
    const before = lengths.get(list[i])
    lengths.set(list[i], before === undefined ? list[i + 1].length : before + 2 + list[i + 1].length)
  }
  return lengths
}

function pseudoText(name: string): string {
  return `Request pseudo header exceeds LimitRequestFieldSize: ${name}`
}

function trimmed(text: string): string {
  const first = text.charCodeAt(0)
  const last = text.charCodeAt(text.length - 1)
  return first > 32 && last > 32 ? text : text.replace(/^[ \t]+|[ \t]+$/g, '')
}
