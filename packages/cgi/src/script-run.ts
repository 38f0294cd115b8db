import {
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_MOVED_TEMPORARILY,
  HTTP_NOT_MODIFIED,
  httpStatus,
  M_GET,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
  ResponseCut,
} from '@gatewright/api'
import { systemError } from '@gatewright/api/text'
import { PlainExchange, type PlainListener, ResponseStream, type UpstreamError } from '@gatewright/upstream'
import { type ErrorLines, readErrors } from './error-lines.ts'
import type { Flavour } from './flavour.ts'
import { headFaultText, invalidStatusText } from './head-texts.ts'
import { type ScriptHead, ScriptHeadReader } from './script-head.ts'
import { logFailedScript, OUTPUT_MAX, type ScriptLogSettings, STANDARD_BUFFER } from './script-log.ts'
import type { StartedProgram } from './spawner.ts'
import { reasonIn, takeHead } from './take-head.ts'
import { relayUnparsed } from './unparsed.ts'
import { writeInput } from './write-input.ts'

/** What a run needs. */
export interface RunParts {
  readonly program: StartedProgram
  readonly flavour: Flavour
  readonly log: ModuleLog
  /** Silence of the script after which the response breaks off, ms. */
  readonly timeout: number
  readonly scriptLog: Readonly<ScriptLogSettings>
  /** Whether the script writes the response itself, as one whose name begins with `nph-`. */
  readonly isUnparsed: boolean
}

/** httpd's text of an error that is none of the system's. */
const UNREADABLE = { code: -102, text: 'Unknown error -102' }
const TIMED_OUT = { code: 70007, text: 'The timeout specified has expired' }
/** How long the messages of a script are waited for that has closed its output, ms. */
const MESSAGES_LIMIT = 1000

/**
 * How long a response waits for the end of its script, ms. Most scripts end with their output: the length is known then.
 */
const END_WAIT = 5
/** The longest response that waits, in bytes; httpd reads as much before it sends the head. */
const SHORT_OUTPUT = 8000

/** One script and its response, which is left in the client's request. */
export class ScriptRun implements PlainListener {
  readonly #request: Request
  readonly #parts: RunParts
  readonly #settled = Promise.withResolvers<Outcome>()
  readonly #exchange: PlainExchange
  readonly #head = new ScriptHeadReader()
  readonly #errors: ErrorLines
  /** The response waits for it: as in httpd, an unreadable body is the client's response. */
  readonly #bodySent = Promise.withResolvers<void>()
  #bodyStart = ''
  #stream: ResponseStream | null = null
  /** What follows a head that was refused, for the log. */
  #output: Buffer[] | null = null
  #outputSize = 0
  #outputEnds: () => void = () => {}
  /** The script has ended or written more than a short response. */
  readonly #isShown = Promise.withResolvers<void>()
  #written = 0
  #isOver = false

  constructor(request: Request, parts: RunParts) {
    this.#request = request
    this.#parts = parts
    this.#exchange = new PlainExchange(parts.program.connection, parts.timeout, this)
    this.#errors = readErrors(parts.program.errors, request, parts.log)
  }

  run(): Promise<Outcome> {
    const forget = this.#request.whenGone(() => {
      this.#end('broken')
      this.#settled.resolve(OK)
    })
    this.#request.onDone(forget)
    void this.#send()
    if (this.#parts.isUnparsed) {
      this.#stream = this.#newStream()
      void this.#bodySent.promise.then(() => {
        if (this.#stream !== null) this.#settled.resolve(relayUnparsed(this.#request, this.#stream))
      })
    }
    return this.#settled.promise
  }

  onData(bytes: Buffer): void {
    if (this.#stream !== null) return this.#pass(this.#stream, bytes)
    if (this.#output !== null) return this.#keep(bytes)
    if (this.#head.head !== null) return
    const status = this.#head.read(bytes)
    if (status === 'complete' && this.#head.head !== null) this.#takeHead(this.#head.head, this.#head.rest)
    else if (status === 'refused') this.#refuse()
  }

  onEnd(): void {
    if (this.#stream !== null) {
      this.#stream.end()
      this.#isShown.resolve()
      this.#end('left')
    } else if (this.#output !== null) this.#outputEnds()
    else if (this.#head.head === null) void this.#endedEarly()
    this.#bodySent.resolve()
  }

  onError(error: UpstreamError): void {
    // A script that ends without reading its body resets the connection, after its output.
    if (error.code === 'truncated') return this.onEnd()
    if (this.#stream !== null) {
      this.#stream.fail(new ResponseCut(error.code, TIMED_OUT))
      this.#isShown.resolve()
      this.#end('broken')
      return
    }
    if (this.#output !== null) return this.#outputEnds()
    if (this.#head.head !== null) return
    this.#write(`Script timed out before returning headers: ${this.#name}`)
    this.#fail(httpStatus(504), '')
  }

  get #name(): string {
    const { filename } = this.#request
    return filename.slice(filename.lastIndexOf('/') + 1)
  }

  #write(text: string): void {
    this.#parts.log.write(this.#request, 'error', '', text)
  }

  async #send(): Promise<void> {
    const { program, flavour, log } = this.#parts
    const request = this.#request
    const errno = await program.running
    if (errno !== null) {
      const cause = systemError(errno)
      const text = `exec of '${request.filename}' failed`
      if (flavour.errors === 'apart')
        log.write(request, 'error', 'AH01215', `stderr from ${request.filename}: (${cause.code})${cause.text}: ${text}`)
      else log.write(request.server, 'error', 'AH01241', text, cause)
      this.#exchange.endRequest()
      return this.#bodySent.resolve()
    }
    try {
      if (program.input !== null) await writeInput(program.input, this.#kept(request.readBody()), this.#parts.timeout)
      this.#exchange.endRequest()
      this.#bodySent.resolve()
    } catch (error) {
      log.write(request, 'error', flavour.codes.body, 'Error reading request entity data', UNREADABLE)
      this.#end('broken')
      this.#stream?.fail(new ResponseCut('the request body broke off'))
      this.#settled.reject(error)
    }
  }

  /** Keeps the start of a body for the log. */
  async *#kept(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { file, buffer = STANDARD_BUFFER } = this.#parts.scriptLog
    for await (const chunk of body) {
      if (file !== undefined && this.#bodyStart.length < buffer) {
        const part = Buffer.from(chunk.buffer, chunk.byteOffset, Math.min(chunk.length, buffer - this.#bodyStart.length))
        this.#bodyStart += part.toString('latin1')
      }
      yield chunk
    }
  }

  #takeHead(head: ScriptHead, rest: Buffer): void {
    const request = this.#request
    const { log } = this.#parts
    this.#reportStatuses()
    takeHead(request, head, log)
    const unchanged = head.statusLine === null && request.methodNumber === M_GET ? request.meetsConditions() : OK
    if (unchanged !== OK) return this.#fail(unchanged, '')
    const location = request.headersOut.get('Location')
    if (location !== undefined && request.status === 200) return this.#redirect(location)
    this.#stream = this.#newStream()
    if (rest.length > 0) this.#pass(this.#stream, rest)
    void this.#respond(this.#stream)
  }

  #pass(stream: ResponseStream, bytes: Uint8Array): void {
    stream.push(bytes)
    this.#written += bytes.length
    if (this.#written > SHORT_OUTPUT) this.#isShown.resolve()
  }

  async #respond(stream: ResponseStream): Promise<void> {
    const timer = setTimeout(() => this.#isShown.resolve(), END_WAIT)
    await this.#isShown.promise
    clearTimeout(timer)
    await this.#bodySent.promise
    stream.stateLength()
    this.#settled.resolve(this.#request.respond(stream))
  }

  #redirect(location: string): void {
    const request = this.#request
    void this.#bodySent.promise.then(() => {
      this.#end('left')
      if (!location.startsWith('/')) return this.#settled.resolve(HTTP_MOVED_TEMPORARILY)
      request.method = 'GET'
      request.methodNumber = M_GET
      request.headersIn.delete('Content-Length')
      this.#settled.resolve(Promise.resolve(request.internalRedirect(location, request.contentType)))
    })
  }

  /** The body of the response; a script that writes more than the server keeps does not wait for the request's body. */
  #newStream(): ResponseStream {
    const exchange = this.#exchange
    const streamed = {
      trailers: null,
      pause: (): void => {
        this.#bodySent.resolve()
        exchange.pause()
      },
      resume: (): void => exchange.resume(),
      abort: (): void => this.#end('broken'),
    }
    return new ResponseStream(streamed, -1)
  }

  #reportStatuses(): void {
    for (const line of this.#head.invalidStatuses) this.#write(invalidStatusText(line, this.#name))
  }

  #refuse(): void {
    const { fault } = this.#head
    this.#reportStatuses()
    this.#write(headFaultText(fault, this.#name))
    this.#fail(HTTP_INTERNAL_SERVER_ERROR, this.#head.line)
  }

  async #endedEarly(): Promise<void> {
    const fault = this.#head.end()
    this.#reportStatuses()
    await this.#parts.program.running
    await this.#errors.end(MESSAGES_LIMIT)
    this.#write(headFaultText(fault, this.#name))
    this.#fail(HTTP_INTERNAL_SERVER_ERROR, this.#head.line)
  }

  /** The response is another one. What else the script writes is of interest only for the log. */
  #fail(status: Outcome, line: string): void {
    const { scriptLog } = this.#parts
    if (scriptLog.file === undefined || this.#exchange.isDone) return this.#failNow(status, line)
    this.#output = []
    const timer = setTimeout(() => this.#outputEnds(), this.#parts.timeout > 0 ? this.#parts.timeout : 60_000)
    this.#outputEnds = () => {
      clearTimeout(timer)
      this.#outputEnds = () => {}
      this.#failNow(status, line)
    }
    const { rest } = this.#head
    if (rest.length > 0) this.#keep(rest)
  }

  #failNow(status: Outcome, line: string): void {
    const { scriptLog } = this.#parts
    if (scriptLog.file !== undefined) {
      const output = Buffer.concat(this.#output ?? []).toString('latin1')
      const body = this.#bodyStart
      logFailedScript(this.#request, scriptLog, { status, body, line, output, errors: this.#errors.text })
    }
    void this.#bodySent.promise.then(() => {
      // As in httpd, it is a success for the fields of other modules.
      if (status === HTTP_NOT_MODIFIED) {
        this.#request.status = status
        this.#request.respond('')
      }
      const { status: stated, statusLine } = this.#head.start
      // As in httpd, the reason that the script gives for the same error is sent.
      if (status === HTTP_INTERNAL_SERVER_ERROR && stated === status) this.#request.reason = reasonIn(statusLine ?? '')
      this.#settled.resolve(status === HTTP_NOT_MODIFIED ? OK : status)
    })
    this.#end('broken')
  }

  #keep(bytes: Buffer): void {
    this.#output?.push(Buffer.from(bytes.subarray(0, OUTPUT_MAX - this.#outputSize)))
    this.#outputSize += bytes.length
    if (this.#outputSize >= OUTPUT_MAX) this.#outputEnds()
  }

  #end(how: 'left' | 'broken'): void {
    if (this.#isOver) return
    this.#isOver = true
    const { program } = this.#parts
    program.end(how)
    // A script that is ended would report that its output has no reader, if that was so before.
    if (how === 'left') this.#exchange.abort()
    else {
      this.#exchange.pause()
      void program.ended.then(() => this.#exchange.abort())
    }
    this.#errors.leave()
    this.#bodySent.resolve()
  }
}
