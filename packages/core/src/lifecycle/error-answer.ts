import { HTTP_NOT_MODIFIED, isExpressionError, OK, type Outcome } from '@gatewright/api'
import { dropsConnection } from '../base/status-lines.ts'
import type { ErrorDocument } from '../model/directory-config.ts'
import { allowHeader } from '../model/method-list.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { errorPage } from '../response/error-page.ts'

const PAGE_TYPE = 'text/html; charset=iso-8859-1'

/** An error page to be generated after the request body has been read. */
export interface ErrorPage {
  /** The request that sends the page. */
  readonly request: RequestRecord
  /** null for the built-in page. */
  readonly text: string | null
  /** The error that the built-in page mentions as an additional error; null if there is none. */
  readonly recursiveStatus: number | null
}

/**
 * Chooses the response to a request that ended with an error, an ErrorDocument or the built-in page, and
 * generates the page.
 */
export class ErrorAnswers {
  readonly #signatureOf: (request: RequestRecord) => string

  /** @param signatureOf generates the footer of built-in pages */
  constructor(signatureOf: (request: RequestRecord) => string) {
    this.#signatureOf = signatureOf
  }

  /**
   * If an ErrorDocument fails, the built-in page of the first error is sent.
   * @param outcome the status that the request ended with
   * @returns a page, or the URI on this server to serve instead
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

  /**
   * Puts the page into its request.
   * @param body the outcome of reading the request body: an outcome other than OK replaces the status, and
   * its text if there is one
   */
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

  /**
   * Puts the built-in page of the request's status into the request.
   * @param recursiveStatus the error that the page mentions as an additional error; null if there is none
   */
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

  /**
   * Replaces a response that cannot be sent with the page of another status. No field of the replaced
   * response is sent.
   */
  replaceBy(request: RequestRecord, status: Outcome): void {
    request.existingErrHeadersOut?.clear()
    request.status = status
    this.makePage(request)
  }
}

/**
 * The first request of the chain that failed sends the page. The last request that failed keeps its status,
 * which logs show.
 */
function chooseFirst(request: RequestRecord, outcome: Outcome): ErrorPage {
  let first = request
  while (first.prev !== null && first.prev.status !== 200) first = first.prev
  const recursiveStatus = request.status
  request.status = outcome
  return { request: first, text: null, recursiveStatus }
}

function makeTextPage(request: RequestRecord, text: string): void {
  prepareFields(request)
  request.contentType = PAGE_TYPE
  request.replaceBody(text)
}

/** A 304 does not have a page, and keeps the fields that describe the unmodified resource. */
function makeNotModified(request: RequestRecord): void {
  const fields = [...request.headersOut]
  // The table is replaced, so that modules see that no handler responds.
  request.clearHeadersOut()
  for (const [name, value] of fields) request.headersOut.add(name, value)
  request.dropContentFilters()
  request.errorStatus = request.status
  request.replaceBody('')
}

/** null if its expression cannot be evaluated. */
function textOf(document: Exclude<ErrorDocument, { kind: 'default' }>, request: RequestRecord): string | null {
  try {
    return (document.kind === 'text' ? document.text : document.kind === 'path' ? document.path : document.url).of(request)
  } catch (error) {
    if (isExpressionError(error)) return null
    throw error
  }
}

/**
 * Removes the fields of a successful response, except Location for a redirect, and adds Allow to the statuses
 * that require it.
 */
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
