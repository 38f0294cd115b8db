import {
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  httpStatus,
  isBodyRefused,
  type LogLevelName,
  M_GET,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
  ResponseCut,
  type Table,
} from '@gatewright/api'
import { PlainExchange, type PlainListener, ResponseStream, UpstreamError } from '@gatewright/upstream'
import type { ProcessConnections } from './connect.ts'
import { EMBEDDED } from './daemon-group.ts'
import { addAttempt } from './environ.ts'
import { encodeBodyEnd, encodePart, encodeVariables, FrameReader, type FrameSink } from './frames.ts'
import type { Placement } from './groups.ts'
import { takeHead } from './take-head.ts'

/** How often a request is sent again because a process ends, before it is refused. */
const MOST_RESTARTS = 5

/** What a transaction needs. */
export interface TransactionParts {
  readonly log: ModuleLog
  readonly connections: ProcessConnections
  readonly path: string
  readonly environ: Table
  readonly placement: Placement
  /** Silence after which a process is given up, ms; 0 for no limit. */
  readonly timeout: number
  /** ms */
  readonly connectTimeout: number
  readonly hasBody: boolean
  /** WSGIErrorOverride: pages of this server replace those of the application for errors. */
  readonly overridesErrors: boolean
}

/** One request to a process and its response, which is left in the client's request. */
export class Transaction implements PlainListener, FrameSink {
  readonly #request: Request
  readonly #parts: TransactionParts
  readonly #settled = Promise.withResolvers<Outcome>()
  #exchange: PlainExchange | null = null
  #reader = new FrameReader(this)
  #stream: ResponseStream | null = null
  #isAccepted = false
  #isOver = false
  #connects = 0
  #restarts = 0

  constructor(request: Request, parts: TransactionParts) {
    this.#request = request
    this.#parts = parts
  }

  run(): Promise<Outcome> {
    const forget = this.#request.whenGone(() => {
      this.#exchange?.abort()
      this.#finish(OK)
    })
    this.#request.onDone(forget)
    this.#attempt().catch((error: unknown) => this.#settled.reject(error))
    return this.#settled.promise
  }

  onData(bytes: Buffer): void {
    this.#reader.read(bytes)
  }

  onEnd(): void {
    this.#brokeOff(null)
  }

  onError(error: UpstreamError): void {
    this.#brokeOff(error)
  }

  accepted(): void {
    if (this.#isAccepted) return
    this.#isAccepted = true
    const exchange = this.#exchange
    if (exchange === null) return
    if (this.#parts.hasBody) void this.#sendBody(exchange)
    else exchange.write(encodeBodyEnd('complete'))
  }

  outdated(): void {
    this.#leave()
    if (this.#isAccepted || this.#isOver) return
    if (++this.#restarts <= MOST_RESTARTS) {
      this.#attempt().catch((error: unknown) => this.#settled.reject(error))
      return
    }
    this.#error(`Maximum number of WSGI daemon process restart connects reached '${this.#restarts - 1}'`)
    this.#finish(HTTP_SERVICE_UNAVAILABLE)
  }

  waitedTooLong(): void {
    this.#leave()
    this.#error(`Queue timeout expired for WSGI daemon process '${this.#parts.placement.processGroup}'`)
    this.#finish(httpStatus(504))
  }

  head(statusLine: string, fields: readonly (readonly [name: string, value: string])[]): void {
    const request = this.#request
    const exchange = this.#exchange
    if (this.#stream !== null || this.#isOver || exchange === null) return
    // As in mod_wsgi, which joins them in process groups only.
    const repeated = this.#parts.placement.processGroup === EMBEDDED ? 'apart' : 'joined'
    const { status, contentLength } = takeHead(request, statusLine, fields, repeated)
    if (status < 200 || status > 999) {
      request.status = 200
      request.reason = null
      this.#error(`Invalid status line from WSGI application: ${statusLine.slice(0, 30)}`)
      this.#leave()
      return this.#finish(HTTP_INTERNAL_SERVER_ERROR)
    }
    if (this.#parts.overridesErrors && status >= 400) return this.#override(status)
    const location = request.headersOut.get('Location')
    if (status === 200 && location?.startsWith('/') === true) return this.#redirect(location)
    this.#stream = new ResponseStream(exchange, contentLength)
    this.#finish(request.respond(this.#stream))
  }

  data(bytes: Buffer): void {
    this.#stream?.push(bytes)
  }

  line(level: string, text: string): void {
    this.#parts.log.write(this.#request, isLevel(level) ? level : 'error', '', text)
  }

  complete(): void {
    this.#stream?.end()
    this.#leave()
    if (this.#stream === null) this.#finish(HTTP_INTERNAL_SERVER_ERROR)
  }

  failed(): void {
    this.#leave()
    this.#stream?.fail(new ResponseCut('the application failed'))
    this.#finish(HTTP_INTERNAL_SERVER_ERROR)
  }

  malformed(): void {
    this.#leave()
    this.#brokeOff(null)
  }

  async #attempt(): Promise<void> {
    const { connections, path, environ, placement, timeout, connectTimeout } = this.#parts
    const request = this.#request
    const connection = await connections.connect(request, path, connectTimeout, () => this.#connects++)
    if (connection === null || this.#isOver) {
      if (connection !== null && !(connection instanceof UpstreamError)) connection.destroy()
      return this.#finish(OK)
    }
    if (connection instanceof UpstreamError) {
      const text = `Unable to connect to WSGI daemon process '${placement.processGroup}' on '${path}'`
      this.#error(
        `${text} after multiple attempts as listener backlog limit was exceeded or the socket does not exist.`,
        connection.cause ?? undefined,
      )
      return this.#finish(HTTP_SERVICE_UNAVAILABLE)
    }
    addAttempt(environ, placement, this.#connects, this.#restarts)
    this.#reader = new FrameReader(this)
    const exchange = new PlainExchange(connection, timeout, this)
    this.#exchange = exchange
    exchange.write(encodeVariables(environ))
    exchange.endRequest()
  }

  async #sendBody(exchange: PlainExchange): Promise<void> {
    exchange.waitForClient()
    try {
      await exchange.sendBody(framed(this.#request.readBody('if-missing')))
      exchange.write(encodeBodyEnd('complete'))
    } catch (error) {
      if (isBodyRefused(error) && this.#stream === null) {
        this.#leave()
        this.#isOver = true
        this.#settled.reject(error)
        return
      }
      // The application learns it where it reads, as in mod_wsgi.
      exchange.write(encodeBodyEnd('broken'))
      exchange.endRequest()
    }
  }

  #override(status: number): void {
    const request = this.#request
    const challenges = [...request.headersOut].filter(([name]) => name.toLowerCase() === 'www-authenticate')
    request.headersOut.clear()
    request.contentType = null
    request.status = 200
    request.reason = null
    if (status === 401) for (const [name, value] of challenges) request.errHeadersOut.add(name, value)
    this.#leave()
    this.#finish(httpStatus(status))
  }

  /** As in mod_wsgi, a response of this server replaces one with a Location that is a path of it. */
  #redirect(location: string): void {
    const request = this.#request
    this.#leave()
    request.method = 'GET'
    request.methodNumber = M_GET
    request.headersIn.delete('Content-Length')
    this.#isOver = true
    this.#settled.resolve(Promise.resolve(request.internalRedirect(location)))
  }

  #brokeOff(error: UpstreamError | null): void {
    if (this.#stream !== null) {
      this.#stream.fail(new ResponseCut(error?.code ?? 'the process has ended'))
      return
    }
    if (this.#isOver) return
    const name = this.#parts.placement.processGroup
    if (error?.code.endsWith('timeout') === true) {
      this.#error(`Timeout when reading response headers from daemon process '${name}'`)
      return this.#finish(httpStatus(504))
    }
    this.#error(`Truncated or oversized response headers received from daemon process '${name}'`)
    this.#finish(HTTP_INTERNAL_SERVER_ERROR)
  }

  #error(text: string, cause?: Error): void {
    this.#parts.log.write(this.#request, 'error', '', `${text}: ${this.#request.filename}`, cause)
  }

  #leave(): void {
    this.#reader.stop()
    this.#exchange?.abort()
  }

  #finish(outcome: Outcome): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#settled.resolve(outcome)
  }
}

async function* framed(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const part of body) if (part.length > 0) yield encodePart(part)
}

const LEVELS: ReadonlySet<string> = new Set<LogLevelName>(['error', 'warn', 'info'])

function isLevel(text: string): text is LogLevelName {
  return LEVELS.has(text)
}
