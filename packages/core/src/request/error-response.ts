import { DONE, isExpressionError, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { ErrorDocument } from '../core-module/directory-config.ts'
import { errorPage } from '../response/error-page.ts'
import { dropsConnection } from '../response/status-lines.ts'
import type { CoreLog } from '../services/error-log.ts'
import { allowHeader } from './method-list.ts'
import type { RequestRecord } from './request-record.ts'

/** What an error needs to be answered. */
export interface ErrorContext {
  readonly log: CoreLog
  /** Signature for the foot of the page. */
  signature(request: RequestRecord): string
  /** Serves another URI in place of the page. */
  redirectForError(request: RequestRecord, uri: string): MaybePromise<void>
  /** Reads what is left of the request body: OK, or the status that is answered instead. */
  finishBody(request: RequestRecord): MaybePromise<Outcome>
  /** Sends what is in the request. */
  respond(request: RequestRecord): MaybePromise<void>
}

/**
 * Answers a request that ended with a status: by its ErrorDocument, or by the built-in page. An error while an error document is served is answered by the
 * built-in page of the first error.
 */
export function answerError(request: RequestRecord, outcome: Outcome, context: ErrorContext): MaybePromise<void> {
  if (outcome === OK || outcome === DONE) return context.respond(request)
  if (dropsConnection(outcome)) request.original.bodyIsOver = true
  if (request.status !== 200) return answerRecursive(request, outcome, context)
  request.status = outcome
  const document = request.config.core.errorDocuments?.get(outcome)
  if (document !== undefined && document.kind !== 'default') {
    const answer = answerByDocument(request, document, context)
    if (answer !== 'built-in') return answer
  }
  return sendPage(request, null, null, context)
}

/**
 * Sends an error page when the request body has been read.
 * @param text null for the built-in page
 */
function sendPage(
  request: RequestRecord,
  text: string | null,
  recursiveStatus: number | null,
  context: ErrorContext,
): MaybePromise<void> {
  const outcome = context.finishBody(request)
  if (outcome instanceof Promise) return outcome.then((settled) => sendPageOf(request, settled, text, recursiveStatus, context))
  return sendPageOf(request, outcome, text, recursiveStatus, context)
}

/** @param outcome of the body: other than OK it replaces the status of the request, with a text of its own if there is one */
function sendPageOf(
  request: RequestRecord,
  outcome: Outcome,
  text: string | null,
  recursiveStatus: number | null,
  context: ErrorContext,
): MaybePromise<void> {
  if (outcome === OK) {
    if (request.status === 304) makeNotModified(request)
    else if (text === null) makeErrorPage(request, recursiveStatus, context)
    else makeTextPage(request, text)
  } else {
    const before = request.status
    request.status = outcome
    const own = textOf(request, outcome)
    if (own === null) makeErrorPage(request, before, context)
    else makeTextPage(request, own)
  }
  return context.respond(request)
}

/** The text that an ErrorDocument has for a status; null where it has none, or leads to a URL. */
function textOf(request: RequestRecord, status: number): string | null {
  const document = request.config.core.errorDocuments?.get(status)
  if (document?.kind !== 'text') return null
  try {
    return document.text.of(request)
  } catch (error) {
    if (isExpressionError(error)) return null
    throw error
  }
}

/** Has no page, and keeps the fields that describe what was not modified. */
function makeNotModified(request: RequestRecord): void {
  const fields = [...request.headersOut]
  // Another table: modules tell by it that no handler answers.
  request.clearHeadersOut()
  for (const [name, value] of fields) request.headersOut.add(name, value)
  request.dropContentFilters()
  request.errorStatus = request.status
  request.body = ''
}

function makeTextPage(request: RequestRecord, text: string): void {
  prepareErrorHeaders(request)
  request.contentType = 'text/html; charset=iso-8859-1'
  request.body = text
}

/** The first request of the chain that failed sends the page; the one that failed last keeps its status, which is what logs show. */
function answerRecursive(request: RequestRecord, outcome: Outcome, context: ErrorContext): MaybePromise<void> {
  let first = request
  while (first.prev !== null && first.prev.status !== 200) first = first.prev
  request.status = outcome
  return sendPage(first, null, first.status, context)
}

function answerByDocument(
  request: RequestRecord,
  document: Exclude<ErrorDocument, { kind: 'default' }>,
  context: ErrorContext,
): MaybePromise<void> | 'built-in' {
  let text: string
  try {
    text = (document.kind === 'text' ? document.text : document.kind === 'path' ? document.path : document.url).of(request)
  } catch (error) {
    if (isExpressionError(error)) return 'built-in'
    throw error
  }
  switch (document.kind) {
    case 'path':
      return context.redirectForError(request, text)
    case 'url':
      request.status = 302
      request.headersOut.set('Location', text)
      return sendPage(request, null, null, context)
    default:
      return sendPage(request, text, null, context)
  }
}

/** Puts the built-in page of the request's status into it. */
export function makeErrorPage(
  request: RequestRecord,
  recursiveStatus: number | null,
  context: Pick<ErrorContext, 'signature'>,
): void {
  const location = request.existingHeadersOut?.get('Location') ?? request.existingErrHeadersOut?.get('Location')
  prepareErrorHeaders(request)
  request.contentType = 'text/html; charset=iso-8859-1'
  request.body = errorPage({
    status: request.status,
    method: request.method,
    expect: request.headersIn.get('expect'),
    location,
    note: request.existingNotes?.get('error-notes') ?? '',
    variants: request.existingNotes?.get('variant-list') ?? '',
    serverAdmin: request.server.serverAdmin,
    recursiveStatus,
    signature: context.signature(request),
  })
}

/** Headers of a successful response go, but for Location where it is meant, and Allow is told where it helps. */
function prepareErrorHeaders(request: RequestRecord): void {
  const location = request.existingHeadersOut?.get('Location')
  request.clearHeadersOut()
  request.dropContentFilters()
  request.errorStatus = request.status
  if (location !== undefined && request.status >= 300 && request.status < 400) request.headersOut.set('Location', location)
  else if (location !== undefined && request.status === 201) request.headersOut.set('Location', location)
  if (request.status === 405 || request.status === 501) request.headersOut.set('Allow', allowHeader(request))
  request.contentLanguages = []
  request.contentEncoding = null
}
