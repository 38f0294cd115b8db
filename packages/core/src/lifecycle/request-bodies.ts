import { httpStatus, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { BodyRequest, Exchange, Refusal } from '@gatewright/http'
import { BUFFERED_PAGE } from '../base/buffered-page.ts'
import { isSuccess } from '../base/final-status.ts'
import { dropsConnection } from '../base/status-lines.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { bodyChunks } from '../response/body-chunks.ts'
import { type Phase, phase } from './phase.ts'
import type { RefusalNotes } from './refusal-notes.ts'

/** Limit of a request body, in bytes, if LimitRequestBody is not set. */
const STANDARD_BODY_LIMIT = 1_073_741_824

/**
 * The row that discards a body that no handler has read. httpd does so before a page leaves the buffer of its
 * handler, so a body that is rejected replaces the page. A longer page is sent first.
 */
export function unreadBodyPhase(bodies: RequestBodies): Phase {
  return phase('discardUnreadBody', (request) => bodies.discard(request), { when: hasUnreadBody })
}

function hasUnreadBody({ exchange, body, main }: RequestRecord): boolean {
  if (exchange === null || !exchange.hasBody || exchange.requestEnded || main !== null) return false
  return (typeof body === 'string' || body instanceof Uint8Array) && body.length <= BUFFERED_PAGE
}

/**
 * What handlers do with request bodies: read them through the filters, or discard them. LimitRequestBody
 * applies to both.
 */
export class RequestBodies {
  readonly #refusals: RefusalNotes

  constructor(refusals: RefusalNotes) {
    this.#refusals = refusals
  }

  /** Reads and discards the body. Returns OK, or the status that rejects it. */
  discard(request: RequestRecord): MaybePromise<Outcome> {
    const { exchange } = request
    if (exchange === null || !exchange.hasBody || exchange.requestEnded || request.original.bodyIsOver) return OK
    if (isWithheld(request, exchange)) return OK
    if (exchange.aborted) return httpStatus(400)
    let settled: Outcome | null = null
    let resolve: ((outcome: Outcome) => void) | null = null
    exchange.discardBody(limitOf(request), (refusal) => {
      settled = refusal === null ? OK : this.#refused(request, refusal)
      resolve?.(settled)
    })
    if (settled !== null) return settled
    return new Promise<Outcome>((done) => {
      const forget = exchange.whenGone(() => done(httpStatus(400)))
      resolve = (outcome) => {
        forget()
        done(outcome)
      }
    })
  }

  /**
   * Reads the rest of the body before an error is sent, as httpd does. Returns OK, or the status of the body,
   * which replaces the error. The body is not read if the error ends the connection anyway.
   */
  finish(request: RequestRecord): MaybePromise<Outcome> {
    const { exchange } = request
    if (exchange === null || request.main !== null || dropsConnection(request.status)) return OK
    const outcome = this.discard(request)
    if (outcome === OK) return OK
    return outcome instanceof Promise
      ? outcome.then((settled) => withoutLength(request, settled))
      : withoutLength(request, outcome)
  }

  /**
   * The body that was kept, or the chunks of the client's after the input filters.
   * @throws UnreadableBody
   */
  async *read(request: RequestRecord, asks: BodyRequest): AsyncGenerator<Uint8Array> {
    const { exchange, inputFilters, keptBody } = request
    if (keptBody !== null) {
      if (keptBody.length > 0) yield keptBody
      return
    }
    if (exchange === null || isWithheld(request, exchange)) return
    const refused = (refusal: Refusal): Outcome => this.#refused(request, refusal)
    let body: AsyncIterable<Uint8Array> = bodyChunks(exchange, limitOf(request), refused, asks)
    if (inputFilters === null || !exchange.hasBody) return yield* body
    for (const filter of inputFilters) body = filter.filter(request, body)
    yield* body
  }

  #refused(request: RequestRecord, refusal: Refusal): Outcome {
    this.#refusals.take(request, refusal)
    // Like httpd, the server states the length of this response only if the body was too slow.
    request.lengthUnstated = refusal.status !== 408
    request.original.bodyIsOver = true
    // Fields of the original response do not apply to this one.
    request.existingErrHeadersOut?.clear()
    return httpStatus(refusal.status)
  }
}

function withoutLength(request: RequestRecord, outcome: Outcome): Outcome {
  if (outcome !== OK) request.lengthUnstated = true
  return outcome
}

/**
 * True if the client keeps its body back until it gets a `100 Continue`, which httpd does not send for an error
 * or its ErrorDocument: the connection then closes. `[R=200]` of mod_rewrite makes an error with a successful
 * status. A body that is announced as too long is rejected even if it does not arrive.
 */
function isWithheld(request: RequestRecord, exchange: Exchange): boolean {
  return exchange.awaitsContinue && !isSuccess(request.status) && !isAnnouncedTooLong(request, exchange)
}

/** True if the announced length of a body exceeds LimitRequestBody. */
export function isAnnouncedTooLong(request: RequestRecord, { contentLength }: Exchange): boolean {
  const limit = limitOf(request)
  return limit > 0 && contentLength > limit
}

/** In bytes; 0 for no limit. As in httpd, the limit of a request that is passed on is that of the other server. */
function limitOf(request: RequestRecord): number {
  if (request.proxyRequest !== null) return 0
  return request.config.core.limitRequestBody ?? STANDARD_BODY_LIMIT
}
