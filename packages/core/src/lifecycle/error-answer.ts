import { HTTP_NOT_MODIFIED, isExpressionError, OK, type Outcome } from '@gatewright/api'
import { dropsConnection } from '../base/status-lines.ts'
import type { ErrorDocument } from '../model/directory-config.ts'
import { allowHeader } from '../model/method-list.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { errorPage } from '../response/error-page.ts'

const PAGE_TYPE = 'text/html; charset=iso-8859-1'

/** A page that is to be made when the request body has been read. */
export interface ErrorPage {
  /** The request that sends it. */
  readonly request: RequestRecord
  /** null for the built-in page. */
  readonly text: string | null
  /** The error that the built-in page mentions as a further one; null for none. */
  readonly recursiveStatus: number | null
}

/** Chooses what a request that ended with an error is answered with, an ErrorDocument or the built-in page, and makes the page. */
export class ErrorAnswers {
  readonly #signatureOf: (request: RequestRecord) => string

  /** @param signatureOf makes the foot of the built-in pages */
  constructor(signatureOf: (request: RequestRecord) => string) {
    this.#signatureOf = signatureOf
  }

  /**
   * An error while an ErrorDocument is served is answered by the built-in page of the first error.
   * @param outcome the status that the request ended with
   * @returns a page, or the URI of this server that is to be served in its place
   */
  choose(request: RequestRecord, outcome: Outcome): ErrorPage | string {
    if (dropsConnection(outcome)) {
      request.original.bodyIsOver = true
      request.original.endsConnection = true
    }
    if (request.status !== 200) return chooseFirst(request, outcome)
    request.status = outcome
    const document = request.config.core.errorDocuments?.get(outcome)
    const text = document === undefined || document.kind === 'default' ? null : textOf(document, request)
    if (document === undefined || text === null) return { request, text: null, recursiveStatus: null }
    if (document.kind === 'path') return text
    if (document.kind === 'text') return { request, text, recursiveStatus: null }
    request.status = 302
    request.headersOut.set('Location', text)
    return { request, text: null, recursiveStatus: null }
  }

  /** Puts the page into its request. @param body the outcome of reading the request body: other than OK it replaces the status, with a text of its own if there is one */
  make({ request, text, recursiveStatus }: ErrorPage, body: Outcome): void {
    if (body === OK) {
      if (request.status === HTTP_NOT_MODIFIED) makeNotModified(request)
      else if (text === null) this.makePage(request, recursiveStatus)
      else makeTextPage(request, text)
      return
    }
    const before = request.status
    request.status = body
    const document = request.config.core.errorDocuments?.get(body)
    const own = document?.kind === 'text' ? textOf(document, request) : null
    if (own === null) this.makePage(request, before)
    else makeTextPage(request, own)
  }

  /** Puts the built-in page of the request's status into it. @param recursiveStatus the error that the page mentions as a further one; null for none */
  makePage(request: RequestRecord, recursiveStatus: number | null = null): void {
    const location = request.existingHeadersOut?.get('Location') ?? request.existingErrHeadersOut?.get('Location')
    prepareFields(request)
    request.contentType = PAGE_TYPE
    request.replaceBody(
      errorPage({
        status: request.status,
        method: request.method,
        expect: request.headersIn.get('expect'),
        location,
        note: request.existingNotes?.get('error-notes') ?? '',
        variants: request.existingNotes?.get('variant-list') ?? '',
        serverAdmin: request.server.serverAdmin,
        recursiveStatus,
        signature: this.#signatureOf(request),
      }),
    )
  }

  /** Puts the page of another status in place of a response that cannot be sent: no field of that is sent either. */
  replaceBy(request: RequestRecord, status: Outcome): void {
    request.existingErrHeadersOut?.clear()
    request.status = status
    this.makePage(request)
  }
}

/** The first request of the chain that failed sends the page; the one that failed last keeps its status, which is what logs show. */
function chooseFirst(request: RequestRecord, outcome: Outcome): ErrorPage {
  let first = request
  while (first.prev !== null && first.prev.status !== 200) first = first.prev
  request.status = outcome
  return { request: first, text: null, recursiveStatus: first.status }
}

function makeTextPage(request: RequestRecord, text: string): void {
  prepareFields(request)
  request.contentType = PAGE_TYPE
  request.replaceBody(text)
}

/** A 304 has no page, and keeps the fields that describe what was not modified. */
function makeNotModified(request: RequestRecord): void {
  const fields = [...request.headersOut]
  // Another table: modules see by it that no handler answers.
  request.clearHeadersOut()
  for (const [name, value] of fields) request.headersOut.add(name, value)
  request.dropContentFilters()
  request.errorStatus = request.status
  request.replaceBody('')
}

/** null when the expression in it cannot be evaluated. */
function textOf(document: Exclude<ErrorDocument, { kind: 'default' }>, request: RequestRecord): string | null {
  try {
    return (document.kind === 'text' ? document.text : document.kind === 'path' ? document.path : document.url).of(request)
  } catch (error) {
    if (isExpressionError(error)) return null
    throw error
  }
}

/** Drops the fields of a successful response, except Location for a redirect, and adds Allow to the statuses that need it. */
function prepareFields(request: RequestRecord): void {
  const location = request.existingHeadersOut?.get('Location')
  request.clearHeadersOut()
  request.dropContentFilters()
  request.errorStatus = request.status
  if (location !== undefined && ((request.status >= 300 && request.status < 400) || request.status === 201))
    request.headersOut.set('Location', location)
  if (request.status === 405 || request.status === 501) request.headersOut.set('Allow', allowHeader(request))
  request.contentLanguages = []
  request.contentEncoding = null
}
