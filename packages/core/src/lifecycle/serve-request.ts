import { HTTP_INTERNAL_SERVER_ERROR, httpStatus, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { Refusal } from '@gatewright/http'
import { errorStack } from '../base/error-text.ts'
import { SENDING } from '../model/answer.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { ErrorAnswers } from './error-answer.ts'
import type { RequestEnd } from './finish.ts'
import type { RefusalNotes } from './refusal-notes.ts'
import { runPhases } from './run-phases.ts'
import type { Sequences } from './sequences.ts'

export interface RequestServerParts {
  readonly sequences: Sequences
  readonly errors: ErrorAnswers
  readonly refusals: RefusalNotes
  readonly end: RequestEnd
  readonly log: CoreLog
  /** True if a module registered something too late to take effect. */
  readonly isClosed: () => boolean
}

/** Serves the requests of clients: a request enters the table of phases here. Never throws or rejects. */
export class RequestServer {
  readonly #parts: RequestServerParts

  constructor(parts: RequestServerParts) {
    this.#parts = parts
  }

  /** Serves a client's request. */
  serve(request: RequestRecord): void {
    try {
      // The missing registration might have denied this request; the log names the module.
      if (this.#parts.isClosed()) return this.#sendErrorPage(request)
    } catch (error) {
      return this.#broken(request, error)
    }
    void this.#run(request, 0, OK)
  }

  /** Responds to a request that could not be read completely. */
  refuse(request: RequestRecord, refusal: Refusal): void {
    try {
      this.#parts.refusals.take(request, refusal)
      if (refusal.silent) return this.#endSilently(request, refusal)
    } catch (error) {
      return this.#broken(request, error)
    }
    void this.#run(request, this.#parts.sequences.refused, httpStatus(refusal.status))
  }

  /**
   * Serves a request that replaces another request of a client.
   * @returns a promise until the first byte is sent
   */
  serveRedirected(request: RequestRecord): MaybePromise<void> {
    return this.#run(request, this.#parts.sequences.client.redirected, OK)
  }

  /** An unexpected error ends the response and never reaches the caller. */
  #run(request: RequestRecord, from: number, failure: Outcome): MaybePromise<void> {
    try {
      const served = runPhases(this.#parts.sequences.client, request, from, failure)
      return served instanceof Promise ? this.#whenServed(request, served) : undefined
    } catch (error) {
      return this.#broken(request, error)
    }
  }

  async #whenServed(request: RequestRecord, served: Promise<Outcome>): Promise<void> {
    try {
      await served
    } catch (error) {
      this.#broken(request, error)
    }
  }

  /** Ends a connection without a response, as the engine requested. */
  #endSilently(request: RequestRecord, { status }: Refusal): void {
    request.status = status
    request.requestLine = '-'
    request.answer.begin(request)
    this.#parts.end.finish(request)
    request.exchange?.breakOff()
  }

  /**
   * Logs an unexpected error, then sends the built-in page of a 500 if the response has not begun; otherwise it
   * closes the connection.
   */
  #broken(request: RequestRecord, error: unknown): void {
    const text = errorStack(error)
    this.#parts.log.write(request, 'crit', '', `the request could not be served: ${text}`)
    const { exchange, answer } = request
    if (exchange === null || exchange.answered) return
    if (answer.state < SENDING && answer.request === null) {
      try {
        return this.#sendErrorPage(request)
      } catch {
        // Nothing can be sent in this case.
      }
    }
    exchange.breakOff()
    this.#parts.end.finish(request)
  }

  /** Sends the built-in page and ignores ErrorDocument, which modules would serve. */
  #sendErrorPage(request: RequestRecord): void {
    request.status = HTTP_INTERNAL_SERVER_ERROR
    this.#parts.errors.makePage(request)
    void this.#run(request, this.#parts.sequences.deliver, OK)
  }
}
