import { COMPLETE, FieldSection, HeaderFields, Input, LF } from '@gatewright/http/messages'
import { faultOf, responseFields, type UpstreamFault } from '@gatewright/upstream'

/** The head of a CGI response (RFC 3875 section 6). All text is latin1. */
export interface CgiHead {
  /** From the field Status; 200 without one. */
  readonly status: number
  /** What follows the status in its field; null without the field. */
  readonly reason: string | null
  /** The value of a field Status that is none; then `status` is 500. */
  readonly invalidStatus: string | null
  /** In their order, those of one name apart. Status is among them. */
  readonly fields: HeaderFields
}

/** What a reader has found. `none`: the response has ended without a head, and all of it is body. */
export type CgiHeadStatus = 'more' | 'complete' | 'refused'

/** The longest head in bytes, and the longest field. */
const HEAD_MAX = 1024 * 1024
const FIELD_MAX = 256 * 1024
const LIMITS = { limitRequestLine: FIELD_MAX, limitRequestFieldSize: FIELD_MAX, limitRequestFields: 0, strict: true }

/**
 * Reads the head of a CGI response, which lines with CR LF or LF make, in whatever parts it arrives. It is judged when
 * its empty line has arrived, because a response without one is all body, as in httpd.
 */
export class CgiHeadReader {
  /** What has arrived: after 'complete', the rest of it. */
  readonly input: Input
  head: CgiHead | null
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
    this.head = { status: 200, reason: null, invalidStatus: null, fields: new HeaderFields() }
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
    const fields = new HeaderFields()
    const section = new FieldSection(responseFields('error'))
    if (section.read(this.input, fields, LIMITS) !== COMPLETE) {
      const { code, detail } = faultOf(section.refusal?.log ?? null)
      return this.#refuse(code, detail)
    }
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
const STATUS = /^(\d{3})(?: (.*))?$/

function headOf(fields: HeaderFields): CgiHead {
  const status = fields.get('status')
  if (status === undefined) return { status: 200, reason: null, invalidStatus: null, fields }
  const match = STATUS.exec(status)
  if (match === null || match[1] < '100') return { status: 500, reason: null, invalidStatus: status, fields }
  return { status: Number(match[1]), reason: match[2] ?? '', invalidStatus: null, fields }
}
