import {
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_MOVED_TEMPORARILY,
  HTTP_NOT_MODIFIED,
  M_GET,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
  ResponseCut,
} from '@gatewright/api'
import { systemError } from '@gatewright/api/text'
import { headFaultText, invalidStatusText, type ScriptHead, ScriptHeadReader, takeHead } from '@gatewright/cgi'
import { FastcgiExchange, type FastcgiListener } from '@gatewright/fastcgi'
import { ResponseStream, type UpstreamError } from '@gatewright/upstream'
import { logErrorStream } from './error-stream.ts'
import { logFailure } from './failures.ts'
import type { ConnectedProcess } from './processes.ts'
import type { SpooledBody } from './spooled-body.ts'

/** What a transaction needs. */
export interface TransactionParts {
  readonly log: ModuleLog
  readonly process: ConnectedProcess
  readonly params: readonly (readonly [name: string, value: string])[]
  readonly body: SpooledBody | null
  /** FcgidOutputBufferSize, bytes. */
  readonly bufferSize: number
}

const BROKEN_PIPE = systemError(32)
/** Bytes of output that are read and dropped after the client has gone; a program that writes more is ended. */
const DROPPED_MAX = 1024 * 1024

/** One request to a process and its response, which is left in the client's request. */
export class Transaction implements FastcgiListener {
  readonly #request: Request
  readonly #parts: TransactionParts
  readonly #settled = Promise.withResolvers<Outcome>()
  readonly #exchange: FastcgiExchange
  readonly #head = new ScriptHeadReader()
  #stream: ResponseStream | null = null
  /** Output that has not yet filled the buffer. */
  #held: Buffer[] = []
  #heldSize = 0
  /** After the response was decided, or the client has gone: bytes of output that nobody needs. */
  #dropped = -1
  #isSettled = false
  /** Whether the head is in the request. */
  #isTaken = false
  #drained: (() => void) | null = null

  constructor(request: Request, parts: TransactionParts) {
    const { process, params, body } = parts
    this.#request = request
    this.#parts = parts
    this.#exchange = new FastcgiExchange(
      process.connection,
      {
        params,
        keepConnection: false,
        body: null,
        streams: body !== null,
        output: 'raw',
        timeout: process.options.ioTimeout * 1000,
      },
      this,
    )
  }

  run(): Promise<Outcome> {
    const forget = this.#request.whenGone(() => this.#drop(OK))
    this.#request.onDone(forget)
    const { body } = this.#parts
    if (body !== null) void this.#send(body)
    return this.#settled.promise
  }

  onHead(): void {}

  onData(chunk: Buffer): void {
    if (this.#dropped >= 0) {
      this.#dropped += chunk.length
      if (this.#dropped > DROPPED_MAX) this.#leave('communication error')
      return
    }
    if (this.#head.head !== null) {
      if (!this.#takeHead(this.#head.head)) return
      return this.#hold(chunk)
    }
    const status = this.#head.read(chunk)
    const reader: ScriptHeadReader = this.#head
    const { rest, head } = reader
    if (status === 'complete' && head !== null) {
      // As in mod_fcgid, a head is one when something follows it.
      if (head.statusLine !== null && (head.status < 100 || head.status > 599))
        this.#write(invalidStatusText(head.statusLine, this.#name))
      if (rest.length > 0 && this.#takeHead(head)) this.#hold(rest)
    } else if (status === 'refused') {
      this.#refuse()
      this.#drop(HTTP_INTERNAL_SERVER_ERROR)
    }
  }

  onEnd(): void {
    this.#parts.process.lease.release('served')
    if (this.#dropped >= 0) return
    if (this.#head.head === null) {
      this.#head.end()
      this.#refuse()
      return this.#settle(HTTP_INTERNAL_SERVER_ERROR)
    }
    if (!this.#takeHead(this.#head.head)) return
    if (this.#stream === null && this.#heldSize === 0) return this.#settle(this.#request.respond(''))
    this.#flush(true)
    this.#stream?.end()
  }

  onStderr(text: string): void {
    logErrorStream(this.#request, this.#parts.log, text)
  }

  onError(error: UpstreamError): void {
    const { process, log } = this.#parts
    this.#drained?.()
    process.lease.release('communication error')
    if (this.#dropped >= 0) return
    logFailure(this.#request, error, process, log)
    const { head } = this.#head
    if (head === null) {
      this.#head.end()
      this.#refuse()
    } else if (!this.#isTaken) {
      const kind = head.fields.length === 0 && head.statusLine === null ? 'none' : 'cut'
      this.#write(headFaultText({ kind }, this.#name))
    } else log.write(this.#request, 'warn', '', 'mod_fcgid: ap_pass_brigade failed in handle_request_ipc function', BROKEN_PIPE)
    this.#stream?.fail(new ResponseCut(error.code))
    if (!this.#isSettled) this.#request.reason = null
    this.#settle(HTTP_INTERNAL_SERVER_ERROR)
  }

  onDrain(): void {
    this.#drained?.()
  }

  get #name(): string {
    const { filename } = this.#request
    return filename.slice(filename.lastIndexOf('/') + 1)
  }

  #write(text: string): void {
    this.#parts.log.write(this.#request, 'error', '', text)
  }

  /** Reports a head that is none. */
  #refuse(): void {
    this.#write(headFaultText(this.#head.fault, this.#name))
  }

  /** @returns whether the response has a body, which follows */
  #takeHead(head: ScriptHead): boolean {
    if (this.#isTaken) return true
    this.#isTaken = true
    const request = this.#request
    takeHead(request, head, this.#parts.log)
    const unchanged = head.statusLine === null && request.methodNumber === M_GET ? request.meetsConditions() : OK
    // As in httpd, it is a success for the fields of other modules.
    if (unchanged === HTTP_NOT_MODIFIED) {
      request.status = unchanged
      this.#drop(request.respond(''))
      return false
    }
    const location = request.headersOut.get('Location')
    if (unchanged !== OK) this.#drop(unchanged)
    else if (location !== undefined && request.status === 200) this.#redirect(location)
    else return true
    return false
  }

  #redirect(location: string): void {
    const request = this.#request
    if (!location.startsWith('/')) return this.#drop(HTTP_MOVED_TEMPORARILY)
    this.#dropped = 0
    request.method = 'GET'
    request.methodNumber = M_GET
    request.headersIn.delete('Content-Length')
    this.#isSettled = true
    this.#settled.resolve(Promise.resolve(request.internalRedirect(location, request.contentType)))
  }

  #hold(chunk: Buffer): void {
    this.#held.push(Buffer.from(chunk))
    this.#heldSize += chunk.length
    if (this.#heldSize > this.#parts.bufferSize) this.#flush(false)
  }

  /** The number of bytes that the program has announced, unless the body is known to have another one; -1 for none. */
  #lengthOf(isComplete: boolean): number {
    const field = this.#head.head?.fields.find(([name]) => name.toLowerCase() === 'content-length')
    const text = field?.[1].trim() ?? ''
    if (!/^\d{1,15}$/.test(text) || (isComplete && Number(text) !== this.#heldSize)) return -1
    return Number(text)
  }

  /** @param isComplete whether this is the whole body */
  #flush(isComplete: boolean): void {
    if (this.#stream === null) {
      this.#stream = new ResponseStream(
        {
          trailers: null,
          pause: () => this.#exchange.pause(),
          resume: () => this.#exchange.resume(),
          abort: () => this.#drop(OK),
        },
        this.#lengthOf(isComplete),
      )
      this.#settle(this.#request.respond(this.#stream))
    }
    for (const chunk of this.#held.splice(0)) this.#stream.push(chunk)
    this.#heldSize = 0
  }

  /**
   * Nobody needs the rest of the output: it is read, so that the process is ready for the next request when it has ended, and not
   * before.
   */
  #drop(outcome: Outcome): void {
    if (this.#dropped >= 0) return
    this.#dropped = 0
    this.#held = []
    this.#drained?.()
    this.#settle(outcome)
    if (!this.#exchange.ended) this.#exchange.resume()
  }

  #leave(how: 'communication error'): void {
    this.#exchange.abort()
    this.#parts.process.lease.release(how)
  }

  #settle(outcome: Outcome): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#settled.resolve(outcome)
  }

  /** Sends a body at the pace of the process. */
  async #send(body: SpooledBody): Promise<void> {
    try {
      for await (const chunk of body.parts()) {
        if (this.#exchange.ended) return
        if (this.#exchange.write(Buffer.from(chunk))) continue
        await new Promise<void>((resolve) => {
          this.#drained = () => {
            this.#drained = null
            resolve()
          }
        })
      }
      this.#exchange.endRequest()
    } catch (error) {
      // The temporary file cannot be read.
      this.#leave('communication error')
      this.#stream?.fail(new ResponseCut('the request body cannot be read'))
      this.#settled.reject(error)
    } finally {
      await body.close()
    }
  }
}
