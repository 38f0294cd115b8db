import { Input, LF } from '@gatewright/http/messages'
import type { UpstreamFault } from '@gatewright/upstream'
import { CgiFields } from './cgi-fields.ts'

/** The head of a CGI response (RFC 3875 section 6). All text is latin1. */
export interface CgiHead {
  /** The number that begins the field Status, 0 if none does; 200 without the field. */
  readonly status: number
  /** What follows the status in its field; null without the field. */
  readonly reason: string | null
  /** The value of a field Status that is not from 100 to 599. */
  readonly invalidStatus: string | null
  /** Whether an empty line ended it. Without one there is no head: everything is body. */
  readonly isComplete: boolean
  /** In their order, those of one name apart. Status is among them. */
  readonly fields: CgiFields
}

/** What a reader has found. */
export type CgiHeadStatus = 'more' | 'complete' | 'refused'

/** The longest head in bytes. */
const HEAD_MAX = 1024 * 1024

/**
 * Reads the head of a CGI response, which lines with CR LF or LF make, in whatever parts it arrives. It is judged when
 * its empty line has arrived, because a response without one is all body, as in httpd.
 */
export class CgiHeadReader {
  /** What has arrived: after 'complete', the rest of it. */
  readonly input: Input
  head: CgiHead | null
  /** After 'refused': those before the line at fault. */
  readonly fields: CgiFields
  /** After 'refused'. */
  fault: UpstreamFault
  detail: string
  /** Number of bytes that are known to contain no empty line. */
  #searched: number
  /** Whether the searched bytes end with a line. */
  #atLineStart: boolean

  constructor() {
    this.input = new Input()
    this.head = null
    this.fields = new CgiFields()
    this.fault = 'field-line'
    this.detail = ''
    this.#searched = 0
    this.#atLineStart = false
  }

  /** Adds the next part, which is copied. */
  read(bytes: Buffer, start: number, count: number): CgiHeadStatus {
    const { input } = this
    input.push(bytes.subarray(start, start + count), count)
    const status = this.#hasEnd() ? this.#judge() : input.length > HEAD_MAX ? this.#refuse('head-size', '') : 'more'
    input.keep()
    return status
  }

  /** The response has ended without a head. */
  end(): CgiHead {
    this.head = { status: 200, reason: null, invalidStatus: null, isComplete: false, fields: new CgiFields() }
    return this.head
  }

  /** Whether there is an empty line. */
  #hasEnd(): boolean {
    const { bytes, start, end } = this.input
    for (let i = start + this.#searched; i < end; i++) {
      if (bytes[i] === LF) {
        if (this.#atLineStart) return true
        this.#atLineStart = true
      } else if (bytes[i] !== CR || !this.#atLineStart) this.#atLineStart = false
    }
    this.#searched = end - start
    return false
  }

  #judge(): CgiHeadStatus {
    const { fields, input } = this
    const found = fields.read(input.bytes, input.start)
    if (typeof found !== 'number') {
      return this.#refuse(found.code, found.code === 'field-line' ? lastLineOf(input) : found.detail)
    }
    input.start = found
    this.head = headOf(fields)
    return 'complete'
  }

  #refuse(fault: UpstreamFault, detail: string): CgiHeadStatus {
    this.fault = fault
    this.detail = detail
    return 'refused'
  }
}

const CR = 13

function headOf(fields: CgiFields): CgiHead {
  const text = fields.get('status')
  if (text === undefined) return { status: 200, reason: null, invalidStatus: null, isComplete: true, fields }
  // As in httpd, a number is enough, whatever follows it.
  const number = Number.parseInt(text, 10)
  const status = number > 0 && number <= 999 ? number : 0
  const reason = /^\d{3}(?: (.*))?$/.exec(text)?.[1] ?? ''
  return { status, reason, invalidStatus: status < 100 || status > 599 ? text : null, isComplete: true, fields }
}

/** httpd reads a record to its end before it reports a line at fault, and then shows the last one. */
function lastLineOf({ bytes, start, end }: Input): string {
  const line = Math.max(start, bytes.lastIndexOf(LF, end - 1) + 1)
  return bytes.toString('latin1', line, end)
}
