import type { ModuleLog, OsError, Request, Table } from '@gatewright/api'
import { type CgiHead, FastcgiExchange, type FastcgiListener } from '@gatewright/fastcgi'
import type { UpstreamConnection, UpstreamError } from '@gatewright/upstream'

/** What an authorizer has said. Only the status 200 grants. */
export interface Answer {
  readonly head: CgiHead
  /** What follows the head, for the page of a denial. */
  readonly body: string
}

export const TIMED_OUT: OsError = { code: 70_007, text: 'The timeout specified has expired' }
const END_OF_FILE: OsError = { code: 70_014, text: 'End of file found' }
const INVALID: OsError = { code: 22, text: 'Invalid argument' }

/** The longest page of a denial, in bytes, as in httpd. */
const BODY_MAX = 8192

/** Reads the answer to one question, and logs failures in httpd's words. */
export class AnswerReader implements FastcgiListener {
  readonly #request: Request
  /** The authorizer's URL, for messages. */
  readonly #url: string
  readonly #log: ModuleLog
  #head: CgiHead | null = null
  #body = ''
  #settle: (answer: Answer | null) => void = () => {}

  constructor(request: Request, url: string, log: ModuleLog) {
    this.#request = request
    this.#url = url
    this.#log = log
  }

  /** @returns null if there is no answer, which was logged */
  read(connection: UpstreamConnection, params: Table): Promise<Answer | null> {
    return new Promise((resolve) => {
      this.#settle = resolve
      const { timeout } = this.#request.server
      const question = { role: 'authorizer', params, keepConnection: false, body: null, streams: false, timeout } as const
      const exchange = new FastcgiExchange(connection, question, this)
      this.#request.whenGone(() => {
        exchange.abort()
        resolve(null)
      })
    })
  }

  onHead(head: CgiHead): void {
    this.#head = head
    if (head.invalidStatus !== null) {
      this.#write('error', '', `Invalid status line from script '${this.#scriptName}': ${head.invalidStatus}`)
    }
  }

  onData(chunk: Buffer): void {
    if (this.#body.length < BODY_MAX) this.#body += chunk.toString('latin1', 0, BODY_MAX - this.#body.length)
  }

  onEnd(): void {
    const head = this.#head
    if (head === null || !head.isComplete) {
      this.#write('error', 'AH02510', 'handle_response: Never reached end of script headers')
      return this.#fail(INVALID)
    }
    this.#settle({ head, body: this.#body })
  }

  onStderr(text: string): void {
    this.#write('warn', 'AH02507', `handle_response: Logged from ${this.#url}: '${text}'`)
  }

  onError({ code, detail, cause }: UpstreamError): void {
    switch (code) {
      case 'protocol':
        this.#write('error', 'AH02502', `handle_response: Got bogus FastCGI header version ${detail}`)
        return this.#fail(INVALID)
      case 'field-line':
      case 'field-name':
      case 'field-value':
      case 'nul':
        this.#write('error', '', `malformed header from script '${this.#scriptName}': Bad header: ${detail}`)
        return this.#badHead()
      case 'field-size':
      case 'head-size':
        this.#write('error', '', `Premature end of script headers: ${this.#scriptName}`)
        return this.#badHead()
      case 'overloaded':
      case 'cant-multiplex':
      case 'unknown-role':
        this.#write('error', 'AH02510', 'handle_response: Never reached end of script headers')
        return this.#fail(INVALID)
      default: {
        const reason = code.endsWith('timeout') ? TIMED_OUT : (cause ?? END_OF_FILE)
        this.#write('error', 'AH02497', `Couldn't read from backend ${this.#url}`, reason)
        this.#write('error', 'AH02501', 'handle_response: Error occurred before reading entire header', reason)
        return this.#fail(reason)
      }
    }
  }

  get #scriptName(): string {
    const { filename } = this.#request
    return filename.slice(filename.lastIndexOf('/') + 1)
  }

  #badHead(): void {
    this.#write('error', 'AH02506', `handle_response: Error parsing script headers from ${this.#url}`, INVALID)
    this.#fail(INVALID)
  }

  #fail(reason: OsError | Error): void {
    this.#write('error', 'AH02514', `req_rsp: Failed handling response from ${this.#url}`, reason)
    this.#settle(null)
  }

  #write(level: 'error' | 'warn', code: string, text: string, cause?: OsError | Error): void {
    this.#log.write(this.#request, level, code, text, cause)
  }
}
