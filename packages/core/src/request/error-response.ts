import { DONE, isExpressionError, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { ErrorDocument } from '../core-module/directory-config.ts'
import { errorPage } from '../response/error-page.ts'
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
  /** Sends what is in the request. */
  respond(request: RequestRecord): MaybePromise<void>
}

/**
 * Answers a request that ended with a status: by its ErrorDocument, or by the built-in page. An error while an error document is served is answered by the
 * built-in page of the first error.
 */
export function answerError(request: RequestRecord, outcome: Outcome, context: ErrorContext): MaybePromise<void> {
  if (outcome === OK || outcome === DONE) return context.respond(request)
  if (request.status !== 200) return answerRecursive(request, outcome, context)
  request.status = outcome
  const document = request.config.core.errorDocuments?.get(outcome)
  if (document !== undefined && document.kind !== 'default') {
    const answer = answerByDocument(request, document, context)
    if (answer !== 'built-in') return answer
  }
  makeErrorPage(request, null, context)
  return context.respond(request)
}

/** The first request of the chain that failed sends the page; the one that failed last keeps its status, which is what logs show. */
function answerRecursive(request: RequestRecord, outcome: Outcome, context: ErrorContext): MaybePromise<void> {
  let first = request
  while (first.prev !== null && first.prev.status !== 200) first = first.prev
  request.status = outcome
  makeErrorPage(first, first.status, context)
  return context.respond(first)
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
      makeErrorPage(request, null, context)
      return context.respond(request)
    default:
      prepareErrorHeaders(request)
      request.contentType = 'text/html; charset=iso-8859-1'
      request.body = text
      return context.respond(request)
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
