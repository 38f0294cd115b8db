import { type HeaderFields, HTTP_1_1, hasConnectionOption, isInnerCoding, isLength } from '@gatewright/http/messages'
import type { ResponseMessage } from './response-message.ts'
import type { UpstreamFault } from './upstream-error.ts'

/** Why a response cannot be framed. */
export interface FramingFault {
  readonly code: UpstreamFault
  readonly detail: string
}

/**
 * Determines where the body ends (RFC 9112 section 6.3), and whether the connection outlives it. A message that two
 * recipients could end at different places is refused, unless one reading is certain and the other can be removed:
 * equal lengths, and a length beside `chunked`.
 */
export function readResponseFraming(message: ResponseMessage, method: string): FramingFault | null {
  const length = statedLength(message.fields)
  if (typeof length !== 'number') return length
  const coding = message.fields.has('transfer-encoding') ? transferCoding(message.fields) : 'none'
  if (coding === 'unknown') {
    return { code: 'transfer-encoding', detail: message.fields.get('transfer-encoding') ?? '' }
  }
  message.ambiguous = coding !== 'none' && length >= 0
  message.contentLength = coding === 'none' ? length : -1
  message.framing = framingOf(message, method, coding)
  message.keepsConnection = message.framing !== 'close' && !message.ambiguous && persists(message, coding)
  return null
}

function framingOf({ status, contentLength }: ResponseMessage, method: string, coding: Coding): ResponseMessage['framing'] {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return 'none'
  if (coding === 'chunked') return 'chunked'
  return coding === 'none' && contentLength >= 0 ? 'length' : 'close'
}

/** RFC 9112 section 9.3. A transfer coding in a message of HTTP/1.0 is faulty framing. */
function persists({ fields, version }: ResponseMessage, coding: Coding): boolean {
  const options = fields.has('connection') ? everyValue(fields, 'connection') : ''
  if (options !== '' && hasConnectionOption(options, 'close')) return false
  return version >= HTTP_1_1 || (coding === 'none' && options !== '' && hasConnectionOption(options, 'keep-alive'))
}

/** -1 without a length. */
function statedLength(fields: HeaderFields): number | FramingFault {
  const first = fields.get('content-length')
  if (first === undefined) return -1
  for (let i = 0; i < fields.length; i++) {
    if (!fields.isNamed(i, 'content-length')) continue
    const value = fields.value(i)
    if (value !== first || !isLength(value) || Number(value) > Number.MAX_SAFE_INTEGER) {
      return { code: 'content-length', detail: value === first ? value : `${first}, ${value}` }
    }
  }
  return Number(first)
}

/** `close`: the body ends with the connection, because `chunked` is not among the codings. */
type Coding = 'none' | 'chunked' | 'close' | 'unknown'

function transferCoding(fields: HeaderFields): Coding {
  const codings = everyValue(fields, 'transfer-encoding').toLowerCase()
  if (codings === 'chunked') return 'chunked'
  const inner = codings.split(',')
  const last = inner[inner.length - 1].trim()
  if (last === 'chunked') inner.pop()
  if (!inner.every(isInnerCoding)) return 'unknown'
  return last === 'chunked' ? 'chunked' : 'close'
}

/** The values of all fields of a name (in lower case), joined by commas. */
function everyValue(fields: HeaderFields, name: string): string {
  let joined = ''
  for (let i = 0; i < fields.length; i++) {
    if (!fields.isNamed(i, name)) continue
    joined = joined === '' ? fields.value(i) : `${joined},${fields.value(i)}`
  }
  return joined
}
