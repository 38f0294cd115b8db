import type { HostServices, ModuleLog, OsError, Request } from '@gatewright/api'
import type { BytePipe } from './byte-pipe.ts'
import { ERROR_MESSAGE, type IncludeConfig, TIME_FORMAT, UNDEFINED_ECHO } from './config.ts'
import { expand, type ValueSource } from './expand.ts'
import type { TimesOfPage, Variables } from './variables.ts'

/** The last regular expression of a page with its groups; none of them if it did not match. */
export interface LastMatch {
  readonly source: string
  readonly groups: readonly string[] | null
}

/** What the module gives its pages. */
export interface PageParts {
  readonly services: HostServices
  readonly log: ModuleLog
  configOf(request: Request): Readonly<IncludeConfig>
}

/** Text of this many bytes is sent on, even if more of the page follows. */
const ENOUGH = 8000

/** The longest value in which variables were replaced, in bytes. */
const LONGEST_VALUE = 1024 * 1024

/** A page while it is processed. */
export class Page implements TimesOfPage, ValueSource {
  readonly request: Request
  readonly variables: Variables
  readonly parts: PageParts
  readonly config: Readonly<IncludeConfig>
  readonly modifiedMs: number
  errorMessage: string
  undefinedEcho: string
  timeFormat: string
  sizeFormat: 'abbrev' | 'bytes' = 'abbrev'
  /** Whether text and elements count here, or a condition is false. */
  isPrinting = true
  /** Whether a branch of the present condition was taken. */
  isTaken = true
  /** Whether an expression could not be evaluated since the last `endif`. */
  hasFailedCondition = false
  /** Conditions within a branch that does not count. */
  skippedConditions = 0
  lastMatch: LastMatch | null = null
  readonly #pipe: BytePipe
  #made: Uint8Array[] = []
  #length = 0

  /** @param modifiedMs the modification time that LAST_MODIFIED shows: that of the outermost page */
  constructor(request: Request, variables: Variables, modifiedMs: number, pipe: BytePipe, parts: PageParts) {
    this.request = request
    this.variables = variables
    this.modifiedMs = modifiedMs
    this.#pipe = pipe
    this.parts = parts
    const config = parts.configOf(request)
    this.config = config
    this.errorMessage = config.errorMessage ?? ERROR_MESSAGE
    this.undefinedEcho = config.undefinedEcho ?? UNDEFINED_ECHO
    this.timeFormat = config.timeFormat ?? TIME_FORMAT
  }

  get file(): string {
    return this.request.filename
  }

  /** Adds bytes, which are not changed later. */
  add(bytes: Uint8Array): void {
    this.#made.push(bytes)
    this.#length += bytes.length
  }

  addText(text: string): void {
    this.add(Buffer.from(text, 'latin1'))
  }

  /** Adds SSIErrorMsg. */
  addError(): void {
    this.addText(this.errorMessage)
  }

  /** Whether what was added should be sent on, even if more of the page follows. */
  get isFull(): boolean {
    return this.#length > ENOUGH
  }

  /** Sends what was added so far. */
  async flush(): Promise<void> {
    if (this.#length === 0) return
    const made = this.#made
    this.#made = []
    this.#length = 0
    await this.#pipe.write(made.length === 1 ? made[0] : Buffer.concat(made))
  }

  log(code: string, text: string, cause?: OsError): void {
    this.parts.log.write(this.request, 'error', code, text, cause)
  }

  /** A mistake in the form of an element: a warning where the element does not count. */
  logForm(code: string, text: string, counts: boolean = this.isPrinting): void {
    this.parts.log.write(this.request, counts ? 'error' : 'warn', code, text)
  }

  /** A value with its variables replaced; empty, with a message, if it is too long: values double fast. */
  expand(text: string): string {
    if (!text.includes('$') && !text.includes('\\')) return text
    const value = expand(text, this, LONGEST_VALUE)
    if (value === null) this.log('', `a value of more than 1 MiB in parsed document ${this.file}`)
    return value ?? ''
  }

  valueOf(name: string): string | undefined {
    return /^\d$/.test(name) ? this.#group(Number(name)) : this.variables.get(name, this)
  }

  reportOpenBrace(name: string): void {
    this.log('AH01331', `Missing '}' on variable "${name}" in ${this.file}`)
  }

  #warn(code: string, text: string): void {
    this.parts.log.write(this.request, 'warn', code, text)
  }

  #group(index: number): string | undefined {
    const { lastMatch } = this
    if (lastMatch === null || lastMatch.groups === null) {
      this.#warn('AH01329', `regex capture $${index} refers to no regex in ${this.file}`)
      return undefined
    }
    if (index >= lastMatch.groups.length) {
      const where = `(last regex was: '${lastMatch.source}') in ${this.file}`
      this.#warn('AH01330', `regex capture $${index} is out of range ${where}`)
      return undefined
    }
    return lastMatch.groups[index]
  }
}
