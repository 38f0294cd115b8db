import {
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
  ResponseCut,
} from '@gatewright/api'
import { type CgiHead, FastcgiExchange, type FastcgiListener, takeHead } from '@gatewright/fastcgi'
import { ResponseStream, type UpstreamConnection, type UpstreamError } from '@gatewright/upstream'
import { logMessages } from './messages.ts'

/** The request for a script. */
export interface ScriptRequest {
  readonly connection: UpstreamConnection
  readonly params: Iterable<readonly [name: string, value: string]>
  /** A whole body. */
  readonly body: Buffer | null
  /** A body that follows, whose length is among the parameters. */
  readonly rest: AsyncIterable<Uint8Array> | null
}

/** Runs a script, and leaves its response in the client's request. */
export class ScriptResponse implements FastcgiListener {
  readonly #request: Request
  readonly #log: ModuleLog
  readonly #settled = Promise.withResolvers<Outcome>()
  #exchange: FastcgiExchange | null = null
  #stream: ResponseStream | null = null
  /** The response without a body. */
  #atEnd: Outcome | null = null
  #drained: (() => void) | null = null

  constructor(request: Request, log: ModuleLog) {
    this.#request = request
    this.#log = log
  }

  run({ connection, params, body, rest }: ScriptRequest): Promise<Outcome> {
    // Only the script limits its time.
    const exchange = new FastcgiExchange(
      connection,
      { params, keepConnection: false, body, streams: rest !== null, timeout: 0 },
      this,
    )
    this.#exchange = exchange
    this.#request.whenGone(() => {
      exchange.abort()
      this.#drained?.()
      this.#settled.resolve(OK)
    })
    if (rest !== null) void this.#send(exchange, rest)
    return this.#settled.promise
  }

  onHead(head: CgiHead): void {
    const request = this.#request
    takeHead(request, head)
    // A status that httpd has no phrase for is a 500, unless the script has written one.
    if (request.reason === '') request.reason = null
    if (request.headerOnly || head.status === 204 || head.status === 304) this.#atEnd = request.respond('')
  }

  onData(chunk: Buffer): void {
    if (this.#atEnd !== null) return
    if (this.#stream === null && this.#exchange !== null) {
      this.#stream = new ResponseStream(this.#exchange, -1)
      this.#settled.resolve(this.#request.respond(this.#stream))
    }
    this.#stream?.push(chunk)
  }

  onEnd(): void {
    if (this.#stream === null) this.#settled.resolve(this.#atEnd ?? this.#request.respond(''))
    else this.#stream.end()
  }

  onStderr(text: string): void {
    logMessages(this.#request, this.#log, text)
  }

  onError(error: UpstreamError): void {
    this.#drained?.()
    this.#log.write(this.#request, 'error', '', `PHP has not answered: ${error.message}`)
    this.#stream?.fail(new ResponseCut(error.code))
    this.#settled.resolve(error.code === 'overloaded' ? HTTP_SERVICE_UNAVAILABLE : HTTP_INTERNAL_SERVER_ERROR)
  }

  onDrain(): void {
    this.#drained?.()
  }

  /** Sends a body at the pace of the script. */
  async #send(exchange: FastcgiExchange, rest: AsyncIterable<Uint8Array>): Promise<void> {
    try {
      for await (const chunk of rest) {
        if (exchange.ended) return
        // A filter may use the bytes again before they are sent.
        if (exchange.write(Buffer.from(chunk))) continue
        await new Promise<void>((resolve) => {
          this.#drained = resolve
        })
      }
      exchange.endRequest()
    } catch (error) {
      exchange.abort()
      this.#stream?.fail(new ResponseCut('the request body broke off'))
      this.#settled.reject(error)
    }
  }
}
