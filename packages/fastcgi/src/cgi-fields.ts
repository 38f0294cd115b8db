import { isFieldText } from '@gatewright/http/messages'
import { faultOf, responseFields, type UpstreamFault } from '@gatewright/upstream'

/** The longest line with its end, as in httpd. */
const LINE_MAX = 8191

/** What is wrong with a field. */
export interface FieldFault {
  readonly code: UpstreamFault
  /** The name, or the field. */
  readonly detail: string
}

/** The fields of a head in their order, those of one name apart. */
export class CgiFields implements Iterable<readonly [name: string, value: string]> {
  readonly #fields: (readonly [name: string, value: string])[] = []

  get length(): number {
    return this.#fields.length
  }

  /** The first value of a name in lower case. */
  get(name: string): string | undefined {
    return this.#fields.find(([other]) => other.toLowerCase() === name)?.[1]
  }

  /** @param name in lower case */
  has(name: string): boolean {
    return this.get(name) !== undefined
  }

  [Symbol.iterator](): IterableIterator<readonly [name: string, value: string]> {
    return this.#fields[Symbol.iterator]()
  }

  /**
   * Reads the lines up to the empty one, as CGI has them: a blank at the start of a line has no meaning.
   * @param bytes must contain an empty line
   * @returns where the body begins, or what is wrong; the fields before that are kept
   */
  read(bytes: Buffer, start: number): number | FieldFault {
    for (let line = start; ; ) {
      const lineFeed = bytes.indexOf(LF, line)
      if (lineFeed + 1 - line > LINE_MAX) return { code: 'field-size', detail: '' }
      const end = lineFeed > line && bytes[lineFeed - 1] === CR ? lineFeed - 1 : lineFeed
      if (end === line) return lineFeed + 1
      const fault = this.#take(bytes.toString('latin1', line, end))
      if (fault !== null) return fault
      line = lineFeed + 1
    }
  }

  #take(text: string): FieldFault | null {
    if (text.includes('\0')) return { code: 'nul', detail: '' }
    const judged = GRAMMAR.judge(text, true)
    if (judged === null) return { code: 'field-line', detail: text }
    if (!isFieldText(judged)) return faultOf(judged)
    this.#fields.push([text.slice(0, judged.nameEnd), text.slice(judged.valueStart).trimEnd()])
    return null
  }
}

const CR = 13
const LF = 10
const GRAMMAR = responseFields('error')
