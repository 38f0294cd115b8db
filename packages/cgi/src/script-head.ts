/** What the fields of a script's head say. */
export interface ScriptHead {
  /** Of the field Status; 0 without one. */
  readonly status: number
  /** The field Status, as it is; null without one. */
  readonly statusLine: string | null
  /** Without Status. */
  readonly fields: readonly (readonly [name: string, value: string])[]
}

/** Why there is no head. */
export type HeadFault = { readonly kind: 'none' | 'cut' | 'too-long' } | { readonly kind: 'no-field'; readonly line: string }

/** The longest line with its end, as in httpd. */
const LINE_MAX = 8190
/** The longest head, in bytes. httpd has no limit. */
export const HEAD_MAX: number = 1024 * 1024
const LF = 10

/** Reads the head of a script's output line by line, as httpd does: the first line that is no field ends it. */
export class ScriptHeadReader {
  /** After 'complete': the start of the body. After 'refused': what follows the line at fault. */
  rest: Buffer = Buffer.alloc(0)
  head: ScriptHead | null = null
  fault: HeadFault = { kind: 'none' }
  /** The line at fault without its end; of one that is too long or did not end, what there is. */
  line = ''
  /** Values of fields Status that are not from 100 to 599. */
  readonly invalidStatuses: string[] = []
  #line: Buffer[] = []
  #lineLength = 0
  #size = 0
  #lines = 0
  #status = 0
  #statusLine: string | null = null
  readonly #fields: (readonly [string, string])[] = []

  /** @param bytes are not kept, except for the body's */
  read(bytes: Buffer): 'more' | 'complete' | 'refused' {
    for (let start = 0; ; ) {
      const end = bytes.indexOf(LF, start)
      const stop = end < 0 ? bytes.length : end + 1
      this.#lineLength += stop - start
      this.#size += stop - start
      this.#line.push(Buffer.from(bytes.subarray(start, stop)))
      if (this.#lineLength > LINE_MAX) return this.#refuseLine(bytes.subarray(stop))
      if (this.#size > HEAD_MAX) return this.#refuse({ kind: 'too-long' })
      if (end < 0) return 'more'
      const text = Buffer.concat(this.#line).toString('latin1')
      this.#line = []
      this.#lineLength = 0
      this.#lines++
      const found = this.#take(text)
      if (found !== 'more') this.rest = bytes.subarray(stop)
      if (found !== 'more') return found
      start = stop
    }
  }

  /** What the lines so far say. */
  get start(): ScriptHead {
    return { status: this.#status, statusLine: this.#statusLine, fields: this.#fields }
  }

  /** The output has ended within the head. */
  end(): HeadFault {
    this.line = Buffer.concat(this.#line).toString('latin1').replaceAll('\r', '')
    this.fault = { kind: this.#lines === 0 ? 'none' : 'cut' }
    return this.fault
  }

  #take(whole: string): 'more' | 'complete' | 'refused' {
    const zero = whole.indexOf('\0')
    // httpd removes every CR, which could begin another field for a client.
    const text = (zero < 0 ? whole.slice(0, -1) : whole.slice(0, zero)).replaceAll('\r', '')
    if (text === '') {
      this.head = this.start
      return 'complete'
    }
    const colon = text.indexOf(':')
    if (colon < 0) {
      this.line = text
      return this.#refuse({ kind: 'no-field', line: text.slice(0, 30) })
    }
    const name = text.slice(0, colon)
    const value = text.slice(colon + 1).replace(/^[\t\n\v\f\r ]+/, '')
    if (name.toLowerCase() === 'status') {
      this.#status = Number(/^[+]?\d{1,9}/.exec(value)?.[0] ?? 0)
      this.#statusLine = value
      if (this.#status < 100 || this.#status > 599) this.invalidStatuses.push(value)
    } else this.#fields.push([name, value])
    return 'more'
  }

  /** A line is too long. */
  #refuseLine(after: Buffer): 'refused' {
    const all = Buffer.concat(this.#line)
    this.line = all.toString('latin1', 0, LINE_MAX)
    this.rest = Buffer.concat([all.subarray(LINE_MAX), after])
    return this.#refuse({ kind: this.#lines === 0 ? 'none' : 'cut' })
  }

  #refuse(fault: HeadFault): 'refused' {
    this.fault = fault
    return 'refused'
  }
}
