import type { Resource } from './resource.ts'

/** The expected answer to a request. */
export interface Expectation {
  readonly id: number
  readonly resource: Resource
}

/** An answer that was read to its end. */
export interface Answer {
  /** Null if the answer is exactly as expected. */
  readonly fault: AnswerFault | null
  /** Whether it announces the end of the connection. */
  readonly close: boolean
  /** The process that gave it, as reported by mod_witness. */
  readonly worker: number | null
}

export interface AnswerFault {
  readonly kind: 'wrong status' | 'wrong body'
  readonly detail: string
}

interface Head {
  readonly status: number
  readonly length: number
  readonly close: boolean
  readonly worker: number | null
  /** The query of the request that it answers, as reported by mod_witness. */
  readonly answers: string
}

/** A head is never longer than this in these tests. */
const HEAD_MAX = 8192

/**
 * Splits the bytes of a connection into answers with Content-Length, and compares each with the expected one.
 */
export class AnswerReader {
  #headText = ''
  #head: Head | null = null
  #received = 0
  #same = true

  /** True while the bytes of an answer have begun and not ended. */
  get insideAnswer(): boolean {
    return this.#headText !== '' || this.#head !== null
  }

  /** Forgets an answer that will not end. */
  abandon(): void {
    this.#headText = ''
    this.#head = null
  }

  /**
   * Reads up to the end of the first answer.
   * @returns the answer and the bytes after it, null if more is needed, or why these bytes are not an answer
   */
  read(chunk: Buffer, expected: Expectation): { readonly answer: Answer; readonly rest: Buffer } | string | null {
    let bytes = chunk
    if (this.#head === null) {
      const before = this.#headText.length
      this.#headText += chunk.toString('latin1')
      const end = this.#headText.indexOf('\r\n\r\n')
      if (end < 0) return this.#headText.length > HEAD_MAX ? 'a head without end' : null
      const head = parseHead(this.#headText.slice(0, end))
      if (typeof head === 'string') return head
      bytes = chunk.subarray(end + 4 - before)
      this.#head = head
      this.#headText = ''
      this.#received = 0
      this.#same = true
    }
    return this.#readBody(this.#head, bytes, expected)
  }

  #readBody(head: Head, bytes: Buffer, expected: Expectation): { readonly answer: Answer; readonly rest: Buffer } | null {
    const { body } = expected.resource
    const part = bytes.subarray(0, head.length - this.#received)
    const from = this.#received
    this.#received += part.length
    this.#same &&= this.#received <= body.length && body.compare(part, 0, part.length, from, this.#received) === 0
    if (this.#received < head.length) return null
    this.#head = null
    const { close, worker } = head
    return { answer: { fault: faultOf(head, this.#same, expected), close, worker }, rest: bytes.subarray(part.length) }
  }
}

function faultOf(head: Head, same: boolean, { id, resource }: Expectation): AnswerFault | null {
  if (head.status !== (resource.status ?? 200)) return { kind: 'wrong status', detail: String(head.status) }
  const wrong = (detail: string): AnswerFault => ({ kind: 'wrong body', detail })
  if (head.length !== resource.body.length) return wrong(`${head.length} instead of ${resource.body.length} bytes`)
  if (!same) return wrong('other bytes')
  if (head.answers !== String(id)) return wrong(`the answer to ${head.answers}`)
  return null
}

function parseHead(text: string): Head | string {
  const [statusLine, ...lines] = text.split('\r\n')
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]
  if (status === undefined) return `no status line: ${statusLine.slice(0, 60)}`
  const fields = new Map(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const length = fields.get('content-length')
  if (length === undefined || !/^\d+$/.test(length)) return `no Content-Length: ${length}`
  const worker = fields.get('x-worker')
  return {
    status: Number(status),
    length: Number(length),
    close: fields.get('connection')?.toLowerCase() === 'close',
    worker: worker === undefined ? null : Number(worker),
    answers: fields.get('x-answers') ?? '',
  }
}
