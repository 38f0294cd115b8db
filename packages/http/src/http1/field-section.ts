import { COLON, CR, FIELD_VALUE, LF, SPACE, TAB, TOKEN } from '../byte-classes.ts'
import { type FieldText, isFieldText, judgeFieldText } from '../field-text.ts'
import type { HeaderFields } from '../header-fields.ts'
import type { Input } from '../input.ts'
import {
  END_OF_FILE,
  INVALID,
  infoLine,
  logLine,
  NO_SPACE,
  nameForLog,
  type Refusal,
  type RefusalLog,
  refusal,
  UNSPECIFIC,
  unreadableLine,
} from '../refusal.ts'
import type { MessageLimits } from '../settings.ts'

/** The result of reading a part of a message from the available input. */
export type ReadStatus = typeof NEED_MORE | typeof COMPLETE | typeof REFUSED
export const NEED_MORE = 0
export const COMPLETE = 1
export const REFUSED = 2

const SIZE_NOTE = 'Size of a request header field exceeds server limit.'
const COUNT_NOTE = "The number of request header fields exceeds this server's limit."

/** What differs between the fields of requests and those of responses. */
export interface FieldGrammar {
  /** Whether lines may end in a line feed alone although the section is strict. */
  readonly bareLineFeeds: boolean
  /** Whether a first line that begins with a blank is refused, or judged like any line. */
  readonly foldedFirst: 'refused' | 'judged'
  /** Fields of one name: joined in the first, or left apart. */
  readonly repeated: 'merged' | 'apart'
  /** The text of a field and of a line that continues it. @param blanks the number of blanks at the start of the line */
  join(before: string, line: string, blanks: number): string
  /** The parts of a field, a refusal, or null if the field is left out. */
  judge(text: string, strict: boolean): FieldText | RefusalLog | null
}

/** RFC 9112 section 5, and what httpd accepts in requests beyond it. */
const REQUEST_FIELDS: FieldGrammar = {
  bareLineFeeds: false,
  foldedFirst: 'refused',
  repeated: 'merged',
  join: (before, line, blanks) => `${before} ${line.slice(blanks)}`,
  judge: judgeFieldText,
}

/**
 * Reads a header or trailer section (RFC 9112 section 5) from the start of the input, line by line: a line is
 * parsed when it is complete, and no byte is searched twice for the line end. A field is complete when the
 * next line is known not to continue it, so faults are found in httpd's order.
 */
export class FieldSection {
  refusal: Refusal | null
  readonly #grammar: FieldGrammar
  /**
   * Start of the next line; all offsets are relative to the start of the input, which is the start of the
   * section.
   */
  #line: number
  /** Number of bytes of that line that are known to contain no line end. */
  #searched: number
  #count: number
  #repeated: boolean

  // The line scanned last, as offsets into the input's bytes; #lineFeed is -1 until the end is found.
  #lineFeed: number
  #colon: number
  #value: number
  #wellFormed: boolean

  // The field that the next line may continue; #openStart is -1 if there is none.
  #openStart: number
  #openEnd: number
  #openColon: number
  #openValue: number
  #openWellFormed: boolean
  /** The text so far of a folded field, else ''. */
  #openFolded: string

  constructor(grammar: FieldGrammar = REQUEST_FIELDS) {
    this.#grammar = grammar
    this.refusal = null
    this.#line = 0
    this.#searched = 0
    this.#count = 0
    this.#repeated = false
    this.#lineFeed = -1
    this.#colon = 0
    this.#value = 0
    this.#wellFormed = false
    this.#openStart = -1
    this.#openEnd = 0
    this.#openColon = 0
    this.#openValue = 0
    this.#openWellFormed = false
    this.#openFolded = ''
  }

  reset(): void {
    this.refusal = null
    this.#line = 0
    this.#searched = 0
    this.#count = 0
    this.#repeated = false
    this.#openStart = -1
    this.#openFolded = ''
  }

  /**
   * Continues reading. COMPLETE takes the section with its empty line from the input; REFUSED leaves it
   * there, and the fields before the fault are valid.
   */
  read(input: Input, fields: HeaderFields, settings: MessageLimits): ReadStatus {
    const status = this.#readLines(input, fields, settings)
    if (status === REFUSED) this.seal(input, fields)
    return status
  }

  /** Makes the fields that are complete readable after a rejection. */
  seal(input: Input, fields: HeaderFields): void {
    fields.seal(input.bytes.toString('latin1', input.start, input.start + this.#line))
  }

  #readLines(input: Input, fields: HeaderFields, settings: MessageLimits): ReadStatus {
    const base = input.start
    for (;;) {
      const line = base + this.#line
      this.#scan(input.bytes, line, line + this.#searched, input.end)
      if (this.#lineFeed < 0) return this.#waitForLineEnd(input, line, settings)
      const end = this.#endOfContent(input.bytes, line, settings)
      if (end < 0) return REFUSED
      const first = input.bytes[line]
      if (end > line && (first === SPACE || first === TAB)) {
        if (!this.#continueField(input, base, line, end, settings)) return REFUSED
      } else {
        if (this.#openStart >= 0 && !this.#closeField(input, base, fields, settings)) return REFUSED
        if (end === line) return this.#finish(input, base, line, fields, settings)
        this.#openField(base, line, end)
      }
      this.#line = this.#lineFeed + 1 - base
      this.#searched = 0
    }
  }

  /** After a rejection: number of bytes to the end of the lines that were judged, the rejected one included. */
  get judged(): number {
    return this.#line
  }

  /** Number of bytes to the end of the current line, or of the part that has arrived. */
  examined(input: Input): number {
    return this.#lineFeed < 0 ? input.length : this.#lineFeed + 1 - input.start
  }

  /** The refusal if the sender closed its side in the middle of the section. */
  refuseEnd(input: Input): Refusal {
    const line = input.start + this.#line
    const rest = line < input.end ? input.bytes.toString('latin1', line, input.end) : ''
    return refusal(400, rest === '' ? unreadableLine(UNSPECIFIC, '(null)') : unreadableLine(END_OF_FILE, rest))
  }

  /** Validates a well-formed line and finds its end in one pass. For any other line, only finds the end. */
  #scan(bytes: Buffer, line: number, from: number, end: number): void {
    this.#wellFormed = false
    let i = from
    if (from === line) {
      while (i < end && TOKEN[bytes[i]] === 1) i++
      if (i > line && i < end && bytes[i] === COLON) {
        this.#colon = i++
        while (i < end && (bytes[i] === SPACE || bytes[i] === TAB)) i++
        this.#value = i
        while (i < end && FIELD_VALUE[bytes[i]] === 1) i++
        if (i + 1 < end && bytes[i] === CR && bytes[i + 1] === LF) {
          this.#lineFeed = i + 1
          this.#wellFormed = true
          return
        }
      }
    }
    while (i < end && bytes[i] !== LF) i++
    this.#lineFeed = i < end ? i : -1
    // A line that arrived in pieces is scanned when it is complete.
    if (i < end && from > line) this.#scan(bytes, line, line, end)
  }

  #waitForLineEnd(input: Input, line: number, settings: MessageLimits): ReadStatus {
    const cr = input.end > line && input.bytes[input.end - 1] === CR ? 1 : 0
    if (input.end - line - cr > settings.limitRequestFieldSize + 1) return this.#refuseSize(input.bytes, line, settings)
    this.#searched = input.end - line
    return NEED_MORE
  }

  /** End of the line's content, without line end and trailing blanks; -1 after a rejection. */
  #endOfContent(bytes: Buffer, line: number, settings: MessageLimits): number {
    const lineFeed = this.#lineFeed
    const bare = lineFeed === line || bytes[lineFeed - 1] !== CR
    let end = bare ? lineFeed : lineFeed - 1
    if (end - line > settings.limitRequestFieldSize + 1) {
      this.#refuseSize(bytes, line, settings)
      return -1
    }
    if (!this.#wellFormed && (bare || end > line)) {
      const text = bytes.toString('latin1', line, end)
      const nul = text.indexOf('\0')
      if (nul >= 0) return this.#refuseLine(text.slice(0, nul))
      if (bare && settings.strict && !this.#grammar.bareLineFeeds) return this.#refuseLine(`${text}\n`)
    }
    while (end > line + 1 && (bytes[end - 1] === SPACE || bytes[end - 1] === TAB)) end--
    return end
  }

  #openField(base: number, line: number, end: number): void {
    this.#openStart = line - base
    this.#openEnd = end - base
    this.#openColon = this.#colon - base
    this.#openValue = Math.min(this.#value, end) - base
    this.#openWellFormed = this.#wellFormed
    this.#openFolded = ''
  }

  /** A continuation line (obs-fold): its leading white space becomes one blank. */
  #continueField(input: Input, base: number, line: number, end: number, settings: MessageLimits): boolean {
    const bytes = input.bytes
    if (this.#openStart < 0) {
      if (this.#grammar.foldedFirst === 'refused') {
        return this.#refuse(logLine('AH03442', 'Line folding encountered before first header line'))
      }
      this.#openField(base, line, end)
      this.#openWellFormed = false
      return true
    }
    let text = line + 1
    if (text === end) return this.#refuse(logLine('AH03443', 'Empty folded line encountered'))
    while (text < end && (bytes[text] === SPACE || bytes[text] === TAB)) text++
    const before = this.#openText(bytes, base)
    const joined = this.#grammar.join(before, bytes.toString('latin1', line, end), text - line)
    // httpd includes a terminating NUL here.
    if (joined.length + 1 >= settings.limitRequestFieldSize) {
      const reason = `Request header exceeds LimitRequestFieldSize after folding: ${nameForLog(before)}`
      return this.#refuse(infoLine('AH00562', reason), SIZE_NOTE)
    }
    this.#openFolded = joined
    return true
  }

  #closeField(input: Input, base: number, fields: HeaderFields, settings: MessageLimits): boolean {
    this.#count++
    if (settings.limitRequestFields > 0 && this.#count > settings.limitRequestFields) {
      return this.#refuse(infoLine('AH00563', 'Number of request headers exceeds LimitRequestFields'), COUNT_NOTE)
    }
    if (this.#openWellFormed && this.#openFolded === '') {
      this.#add(input, base, fields, this.#openColon, this.#openValue, this.#openEnd)
      return true
    }
    const text = this.#openText(input.bytes, base)
    const judged = this.#grammar.judge(text, settings.strict)
    if (judged === null) return true
    if (!isFieldText(judged)) return this.#refuse(judged)
    const start = this.#openStart
    if (this.#openFolded === '') {
      this.#add(input, base, fields, start + judged.nameEnd, start + judged.valueStart, this.#openEnd)
    } else {
      this.#add(input, base, fields, start + judged.nameEnd, start, start)
      fields.replaceLastValue(text.slice(judged.valueStart))
    }
    return true
  }

  #add(input: Input, base: number, fields: HeaderFields, nameEnd: number, value: number, valueEnd: number): void {
    if (fields.addSpan(input.bytes, base, this.#openStart, nameEnd, value, valueEnd)) this.#repeated = true
  }

  #finish(input: Input, base: number, line: number, fields: HeaderFields, settings: MessageLimits): ReadStatus {
    fields.seal(input.bytes.toString('latin1', base, line))
    if (this.#repeated && this.#grammar.repeated === 'merged') {
      const limit = settings.limitRequestFieldSize
      const tooLong = fields.merge(limit)
      if (tooLong !== '') {
        const reason = `Request header exceeds LimitRequestFieldSize after merging: ${nameForLog(tooLong)}`
        this.#refuse(infoLine('AH00560', reason), SIZE_NOTE)
        return REFUSED
      }
    }
    input.skip(this.#lineFeed + 1 - base)
    return COMPLETE
  }

  #openText(bytes: Buffer, base: number): string {
    if (this.#openFolded !== '') return this.#openFolded
    return bytes.toString('latin1', base + this.#openStart, base + this.#openEnd)
  }

  #refuseSize(bytes: Buffer, line: number, settings: MessageLimits): ReadStatus {
    const text = bytes.toString('latin1', line, line + settings.limitRequestFieldSize + 1).split('\0', 1)[0]
    const name = text === '' ? '' : `: ${nameForLog(text)}`
    const last = infoLine('AH00561', `Request header exceeds LimitRequestFieldSize${name}`)
    this.#refuse(unreadableLine(NO_SPACE, text, last), SIZE_NOTE)
    return REFUSED
  }

  #refuseLine(text: string): number {
    this.#refuse(unreadableLine(INVALID, text))
    return -1
  }

  #refuse(log: ReturnType<typeof logLine>, note = ''): boolean {
    this.refusal = refusal(400, log, note)
    return false
  }
}
