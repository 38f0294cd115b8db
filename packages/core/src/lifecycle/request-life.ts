import { DONE, HTTP_INTERNAL_SERVER_ERROR, httpStatus, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { Refusal } from '@gatewright/http'
import { errorStack } from '../base/error-text.ts'
import { SENDING } from '../model/answer.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import { reduceToStatus } from './deliver.ts'
import type { ErrorAnswers, ErrorPage } from './error-answer.ts'
import { nowUs } from './finish.ts'
import { redirectedRequest } from './internal-redirect.ts'
import { type ClientLookup, ENTRIES, type Lifecycle } from './lifecycle.ts'
import type { RefusalNotes } from './refusal-notes.ts'
import type { RequestBodies } from './request-bodies.ts'
import { afterOutcome, runPhases } from './run-phases.ts'
import type { Entry } from './subrequests.ts'

/**
 * Attempts to respond to one request before only a status is sent: an error page may fail like the response,
 * and its replacement once more.
 */
const MAX_FAILURES = 4

export interface RequestLifeParts {
  readonly lifecycle: Lifecycle
  readonly errors: ErrorAnswers
  readonly refusals: RefusalNotes
  readonly bodies: RequestBodies
  readonly log: CoreLog
  /** Looks up the client's name for the logs. */
  readonly lookUpClient: ClientLookup
  /** True if a module registered something too late to take effect. */
  readonly isClosed: () => boolean
}

/**
 * Runs requests through the table of phases: the requests of clients, and internal requests that follow from
 * them.
 */
export class RequestLife {
  readonly #parts: RequestLifeParts
  readonly lifecycle: Lifecycle
  readonly #fromRedirect: number
  readonly #fromUri: number
  readonly #fromFile: number
  readonly #send: number

  constructor(parts: RequestLifeParts) {
    this.#parts = parts
    this.lifecycle = parts.lifecycle
    const indexOf = (name: string): number => parts.lifecycle.prepare.findIndex((row) => row.name === name)
    this.#fromRedirect = indexOf(ENTRIES.redirect)
    this.#fromUri = indexOf(ENTRIES.uri)
    this.#fromFile = indexOf(ENTRIES.file)
    this.#send = parts.lifecycle.deliver.findIndex((row) => row.name === 'send')
  }

  /** Serves a client's request. Never throws or rejects. */
  serve(request: RequestRecord): void {
    try {
      // The missing registration might have denied this request; the log names the module.
      if (this.#parts.isClosed()) return this.#sendErrorPage(request)
      void this.#concludeAnyhow(request, this.#run(request, 0))
    } catch (error) {
      this.#broken(request, error)
    }
  }

  /** Responds to a request that could not be read completely. */
  refuse(request: RequestRecord, refusal: Refusal): void {
    try {
      this.#parts.refusals.take(request, refusal)
      if (refusal.silent) this.#endSilently(request, refusal)
      else void this.#concludeAnyhow(request, httpStatus(refusal.status))
    } catch (error) {
      this.#broken(request, error)
    }
  }

  /** Runs a sub-request up to fixups. Its status shows whether it would be served. */
  readonly lookAhead = (sub: RequestRecord, from: Entry): MaybePromise<RequestRecord> => {
    const outcome = runPhases(this.lifecycle.prepare, sub, from === 'uri' ? this.#fromUri : this.#fromFile)
    return afterOutcome(outcome, sub, this.#noteStatus)
  }

  /** Generates the response of a sub-request that was looked up. */
  handle(sub: RequestRecord): MaybePromise<Outcome> {
    return runPhases(this.lifecycle.handle, sub, 0)
  }

  /**
   * Serves another URI of this server in place of a request.
   * @returns DONE if the response was sent; for a sub-request, whose response is not sent, the outcome of the
   * handler that served the other URI
   */
  redirect(request: RequestRecord, uri: string): MaybePromise<Outcome> {
    const next = redirectedRequest(request, uri, this.#parts.log)
    if (next === null) return HTTP_INTERNAL_SERVER_ERROR
    const outcome = this.#run(next, this.#fromRedirect)
    if (request.main !== null) return typeof outcome === 'number' ? outcome : whileRedirecting(request, outcome)
    const concluded = this.#concludeAnyhow(next, outcome)
    // The redirected request must not respond while an error document of the new request is being determined.
    return concluded instanceof Promise ? whileRedirecting(request, concluded).then(() => DONE) : DONE
  }

  /** Ends the response after its last byte was sent or the client has disconnected. */
  finish(request: RequestRecord, complete: boolean): void {
    const { original } = request
    if (!original.answer.end(nowUs())) return
    if (!complete) request.persistent = false
    void runPhases(this.lifecycle.finish, original, 0)
  }

  /** Runs the phases from a row up to the handler, and returns its outcome. */
  #run(request: RequestRecord, from: number): MaybePromise<Outcome> {
    return afterOutcome(runPhases(this.lifecycle.prepare, request, from), request, this.#handleIfPrepared)
  }

  readonly #handleIfPrepared = (request: RequestRecord, outcome: Outcome): MaybePromise<Outcome> =>
    outcome === OK ? runPhases(this.lifecycle.handle, request, 0) : outcome

  /**
   * Completes the request in any case: an unexpected error ends the response and never reaches the caller.
   */
  #concludeAnyhow(request: RequestRecord, outcome: MaybePromise<Outcome>): MaybePromise<void> {
    try {
      const concluded = this.#conclude(request, outcome)
      return concluded instanceof Promise ? concluded.catch((error: unknown) => this.#broken(request, error)) : undefined
    } catch (error) {
      return this.#broken(request, error)
    }
  }

  /**
   * Sends the response of a request that ended, or the response to its error. Returns a promise until the
   * first byte is sent.
   */
  #conclude(request: RequestRecord, outcome: MaybePromise<Outcome>): MaybePromise<void> {
    if (typeof outcome !== 'number') return outcome.then((settled) => this.#conclude(request, settled))
    // Logs also show the name of a client whose request ended before its configuration was known.
    const waiting = this.#parts.lookUpClient(request)
    if (waiting !== undefined) return waiting.then(() => this.#answer(request, outcome))
    return this.#answer(request, outcome)
  }

  #answer(request: RequestRecord, outcome: Outcome): MaybePromise<void> {
    if (outcome === OK || outcome === DONE) return this.#deliver(request)
    const noted = runPhases(this.lifecycle.fail, request, 0)
    if (typeof noted !== 'number') return noted.then((settled) => this.#answerError(request, settled === OK ? outcome : settled))
    return this.#answerError(request, noted === OK ? outcome : noted)
  }

  #answerError(request: RequestRecord, outcome: Outcome): MaybePromise<void> {
    // Another request responds or has responded: the handler redirected internally and failed afterwards.
    if (request.answer.request !== null) return undefined
    const answer = this.#parts.errors.choose(request, outcome)
    if (typeof answer === 'string') return this.#serveErrorDocument(request, answer)
    const rest = this.#parts.bodies.finish(answer.request)
    return typeof rest === 'number' ? this.#sendPage(answer, rest) : rest.then((settled) => this.#sendPage(answer, settled))
  }

  /** @param body the outcome of reading the rest of the request body */
  #sendPage(page: ErrorPage, body: Outcome): MaybePromise<void> {
    this.#parts.errors.make(page, body)
    return this.#deliver(page.request)
  }

  #serveErrorDocument(request: RequestRecord, uri: string): MaybePromise<void> {
    const next = redirectedRequest(request, uri, this.#parts.log)
    if (next === null) return this.#answerError(request, HTTP_INTERNAL_SERVER_ERROR)
    // Also for HEAD: the conditions of sections see a GET.
    next.method = 'GET'
    next.methodNumber = 0
    return this.#conclude(next, this.#run(next, this.#fromRedirect))
  }

  #deliver(request: RequestRecord): MaybePromise<void> {
    return afterOutcome(runPhases(this.lifecycle.deliver, request, 0), request, this.#afterDelivery)
  }

  readonly #afterDelivery = (request: RequestRecord, outcome: Outcome): MaybePromise<void> => {
    // The first byte was sent, or another request responds.
    if (outcome === OK || outcome === DONE) return undefined
    const { answer } = request
    answer.release(request)
    answer.failures++
    return answer.failures < MAX_FAILURES ? this.#answerError(request, outcome) : this.#giveUp(request)
  }

  /**
   * The response and its error pages failed repeatedly: only the status is sent, without the filters and
   * functions that failed.
   */
  #giveUp(request: RequestRecord): void {
    reduceToStatus(request)
    void runPhases(this.lifecycle.deliver, request, this.#send)
  }

  readonly #noteStatus = (sub: RequestRecord, outcome: Outcome): MaybePromise<RequestRecord> => {
    if (outcome === OK || outcome === DONE) return sub
    sub.status = outcome
    return afterOutcome(runPhases(this.lifecycle.fail, sub, 0), sub, noteFailure)
  }

  /** Ends a connection without a response, as the engine requested. */
  #endSilently(request: RequestRecord, { status }: Refusal): void {
    request.status = status
    request.requestLine = '-'
    request.answer.begin(request)
    this.finish(request, false)
    request.exchange?.send('', null, false)
  }

  /** An internal error occurred: nothing of the response is sent, and the log describes the error. */
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
    exchange.connection.destroy()
    this.finish(request, false)
  }

  /** Sends the built-in page and ignores ErrorDocument, which modules would serve. */
  #sendErrorPage(request: RequestRecord): void {
    request.status = HTTP_INTERNAL_SERVER_ERROR
    this.#parts.errors.makePage(request)
    const delivered = this.#deliver(request)
    if (delivered instanceof Promise) delivered.catch((error: unknown) => this.#broken(request, error))
  }
}

/** Records that a function of the request waits for another request. */
function whileRedirecting<T>(request: RequestRecord, serving: Promise<T>): Promise<T> {
  request.redirecting++
  return serving.finally(() => {
    request.redirecting--
  })
}

function noteFailure(sub: RequestRecord, outcome: Outcome): RequestRecord {
  if (outcome !== OK) sub.status = outcome
  return sub
}
