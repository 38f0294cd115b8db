import {
  COMPLETE,
  CR,
  FIELD_VALUE,
  FieldSection,
  HTTP_0_9,
  HTTP_1_0,
  HTTP_1_1,
  type Input,
  isDigit,
  LF,
  type MessageLimits,
  NEED_MORE,
  SPACE,
} from '@gatewright/http/messages'
import type { ClientRequest } from './client-request.ts'
import { faultOf, responseFields } from './response-fields.ts'
import { readResponseFraming } from './response-framing.ts'
import { ResponseMessage } from './response-message.ts'
import type { UpstreamFault } from './upstream-error.ts'

/** The part of a head that was read: more input is needed, the head is complete, or it is refused. */
export type HeadStatus = 'more' | 'complete' | 'refused'

/** What a response of HTTP/1 begins with. */
const START = 'HTTP/'

/** Reads the heads of one exchange, interim ones included, in as many parts as arrive. */
export class ResponseHead {
  /** The head, from its status line on. */
  message: ResponseMessage | null
  /** Why the head is refused, after 'refused'. */
  fault: UpstreamFault
  detail: string
  /** Without a head: number of bytes of the first line, which are body, and with its end, which httpd drops. */
  bareContent: number
  bareLine: number
  readonly #request: ClientRequest
  readonly #limits: MessageLimits
  #section: FieldSection

  constructor(request: ClientRequest, limits: MessageLimits) {
    this.message = null
    this.fault = 'status-line'
    this.detail = ''
    this.bareContent = 0
    this.bareLine = 0
    this.#request = request
    this.#limits = limits
    this.#section = new FieldSection(responseFields(request.badHeader))
  }

  /** Another head follows. */
  next(): void {
    this.message = null
    this.#section.reset()
  }

  read(input: Input): HeadStatus {
    if (this.message === null) {
      const status = this.#readStatusLine(input)
      if (status !== 'complete') return status
    }
    const message = this.message
    if (message === null || message.version === HTTP_0_9) return 'complete'
    const status = this.#section.read(input, message.fields, this.#limits)
    if (status === NEED_MORE) {
      return input.length > this.#request.limits.headSize ? this.#refuse('head-size', '') : 'more'
    }
    if (status === COMPLETE) return this.#judge(message)
    return this.#refuseFields(input, message)
  }

  /** The backend has closed the connection within the head: the end of the line is that of a body without a head. */
  end({ bytes, start, end }: Input): HeadStatus {
    if (this.message !== null || beginsLikeHttp(bytes, start, end))
      return this.#refuse('closed-in-head', textOf(bytes, start, end))
    return this.#takeBare(bytes, start, end, end)
  }

  #judge(message: ResponseMessage): HeadStatus {
    const fault = readResponseFraming(message, this.#request.method)
    return fault === null ? 'complete' : this.#refuse(fault.code, fault.detail)
  }

  #refuseFields(input: Input, message: ResponseMessage): HeadStatus {
    const { code, detail } = faultOf(this.#section.refusal?.log ?? null)
    if (code !== 'field-line' || this.#request.badHeader !== 'body') return this.#refuse(code, detail)
    // ProxyBadHeader StartBody: the line is lost, and what follows it is the body.
    input.skip(this.#section.judged)
    return this.#judge(message)
  }

  #readStatusLine(input: Input): HeadStatus {
    const { bytes, start, end } = input
    const limit = this.#request.limits.statusLine
    let lineFeed = start
    const last = Math.min(end, start + limit)
    while (lineFeed < last && bytes[lineFeed] !== LF) lineFeed++
    const begins = beginsLikeHttp(bytes, start, end)
    if (lineFeed === last) {
      if (end - start < limit) return 'more'
      return begins ? this.#refuse('status-line', textOf(bytes, start, last)) : this.#takeBare(bytes, start, start, start)
    }
    const content = lineFeed > start && bytes[lineFeed - 1] === CR ? lineFeed - 1 : lineFeed
    // httpd reads nothing but empty lines here, and gives up.
    if (content === start) return this.#refuse('status-line', '')
    if (!begins || !isStatusLine(bytes, start, content)) return this.#takeBare(bytes, start, content, lineFeed + 1)
    if (bytes[start + 5] !== 49 || bytes[start + 6] !== 46 || bytes[start + 9] === 48) {
      return this.#refuse('status-line', textOf(bytes, start, content))
    }
    const message = new ResponseMessage()
    // HTTP/1.2 and later are read as HTTP/1.1.
    message.version = bytes[start + 7] === 48 ? HTTP_1_0 : HTTP_1_1
    message.status = (bytes[start + 9] - 48) * 100 + (bytes[start + 10] - 48) * 10 + bytes[start + 11] - 48
    if (content <= start + 12 || bytes[start + 12] === SPACE) {
      message.reason = textOf(bytes, Math.min(start + 13, content), content)
      // httpd cannot read a line with a NUL, and gives up.
      if (!isReason(bytes, start + 13, content)) {
        return this.#refuse('status-line', hasNul(bytes, start, content) ? '' : textOf(bytes, start, content))
      }
    }
    input.skip(lineFeed + 1 - start)
    this.message = message
    return 'complete'
  }

  /** No head: everything that arrives is the body. */
  #takeBare(bytes: Buffer, start: number, content: number, next: number): HeadStatus {
    if (this.#request.http09 === 'refused' || hasNul(bytes, start, content)) return this.#refuse('status-line', '')
    this.bareContent = content - start
    this.bareLine = next - start
    const message = new ResponseMessage()
    message.version = HTTP_0_9
    message.status = 200
    message.framing = this.#request.method === 'HEAD' ? 'none' : 'close'
    this.message = message
    return 'complete'
  }

  #refuse(fault: UpstreamFault, detail: string): HeadStatus {
    this.fault = fault
    this.detail = detail
    return 'refused'
  }
}

function textOf(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', start, end)
}

/** Whether what has arrived of the first five bytes is `HTTP/`, in any case. */
function beginsLikeHttp(bytes: Buffer, start: number, end: number): boolean {
  const count = Math.min(START.length, end - start)
  for (let i = 0; i < count; i++) {
    if ((bytes[start + i] & ~(bytes[start + i] >= 97 ? 32 : 0)) !== START.charCodeAt(i)) return false
  }
  return count === START.length
}

/** `HTTP/d.d ddd`, whatever follows. */
function isStatusLine(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < 12 || bytes[start + 6] !== 46 || bytes[start + 8] !== SPACE) return false
  if (!isDigit(bytes[start + 5]) || !isDigit(bytes[start + 7])) return false
  return isDigit(bytes[start + 9]) && isDigit(bytes[start + 10]) && isDigit(bytes[start + 11])
}

function hasNul(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if (bytes[i] === 0) return true
  }
  return false
}

function isReason(bytes: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    if (FIELD_VALUE[bytes[i]] !== 1) return false
  }
  return true
}
