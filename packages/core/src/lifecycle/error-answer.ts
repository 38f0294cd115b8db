import { HTTP_INTERNAL_SERVER_ERROR, HTTP_NOT_MODIFIED, isExpressionError, type Outcome } from '@gatewright/api'
import { traceDirective } from '@gatewright/api/tracing'
import { addFields } from '../base/add-fields.ts'
import { dropsConnection, knownStatus } from '../base/status-lines.ts'
import type { ErrorDocument } from '../model/directory-config.ts'
import { allowHeader } from '../model/method-list.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { errorPage } from '../response/error-page.ts'
import type { CoreLog } from '../services/error-log.ts'
import { redirectedRequest } from './redirected-request.ts'

const PAGE_TYPE = 'text/html; charset=iso-8859-1'
/** The variable for clients that cannot read a type with a character set, which then has no default either. */
const WITHOUT_CHARSET = 'suppress-error-charset'
/** Where a page replaces the response of another server, which stated no reason. */
const UNKNOWN_REASON = 'Unknown Reason'

/**
 * Responds to requests that ended with an error: puts a page into them, or replaces them by the request for
 * their ErrorDocument.
 */
export class ErrorAnswers {
  readonly #signatureOf: (request: RequestRecord) => string
  readonly #log: CoreLog

  /** @param signatureOf generates the footer of built-in pages */
  constructor(signatureOf: (request: RequestRecord) => string, log: CoreLog) {
    this.#signatureOf = signatureOf
    this.#log = log
  }

  /**
   * Responds to an error. If an ErrorDocument fails, the built-in page of the first error is sent.
   * @param outcome the status that the request ended with
   * @returns the request that has the page now, or the request for the ErrorDocument
   */
  answer(request: RequestRecord, outcome: Outcome): RequestRecord {
    if (dropsConnection(outcome)) {
      request.original.bodyIsOver = true
      request.original.endsConnection = true
    }
    if (request.status !== 200) return this.#answerAgain(request, outcome)
    request.status = outcome
    if (request.customResponse?.status === outcome) {
      makeTextPage(request, request.customResponse.text)
      return request
    }
    const document = documentOf(request, outcome)
    const text = document === null ? null : textOf(document, request)
    if (document === null || text === null) this.makePage(request)
    else if (document.kind === 'path') {
      traceDirective(request, `ErrorDocument ${outcome}`, null, `serves ${text}`)
      return this.#replace(request, text)
    } else if (document.kind === 'text' && outcome !== HTTP_NOT_MODIFIED) makeTextPage(request, text)
    else {
      if (document.kind === 'url') redirectTo(request, text)
      this.makePage(request)
    }
    return request
  }

  /**
   * The body of the request was refused while the page was ready: its status replaces that of the page.
   * @param outcome the status that refuses the body
   */
  refuseBody(request: RequestRecord, outcome: Outcome): void {
    const before = request.status
    request.status = outcome
    const document = documentOf(request, outcome)
    const own = document?.kind === 'text' ? textOf(document, request) : null
    if (own === null) this.makePage(request, before)
    else makeTextPage(request, own)
  }

  /**
   * Puts the built-in page of the request's status into the request.
   * @param recursiveStatus the error that the page mentions as an additional error; null if there is none
   */
  makePage(request: RequestRecord, recursiveStatus: number | null = null): void {
    if (request.status === HTTP_NOT_MODIFIED) return makeNotModified(request)
    const location = request.existingHeadersOut?.get('Location') ?? request.existingErrHeadersOut?.get('Location')
    prepareFields(request)
    request.contentType = pageTypeOf(request)
    if (request.reason === '' && !request.headerOnly) request.reason = UNKNOWN_REASON
    request.replaceBody(
      errorPage({
        status: request.status,
        reason: request.reason,
        method: request.method,
        isHome: request.unparsedUri === '/',
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
    request.reason = null
    this.makePage(request)
  }

  /**
   * The first request of the chain that failed sends the page. The last request that failed keeps its status,
   * which logs show.
   */
  #answerAgain(request: RequestRecord, outcome: Outcome): RequestRecord {
    let first = request
    while (first.prev !== null && first.prev.status !== 200) first = first.prev
    const recursiveStatus = request.status
    request.status = outcome
    this.makePage(first, recursiveStatus)
    return first
  }

  #replace(request: RequestRecord, uri: string): RequestRecord {
    const next = redirectedRequest(request, uri, this.#log)
    if (next === null) return this.#answerAgain(request, HTTP_INTERNAL_SERVER_ERROR)
    // Also for HEAD: the conditions of sections see a GET.
    next.method = 'GET'
    next.methodNumber = 0
    return next
  }
}

/** The document that the configuration sets for a status; null for the built-in page. */
function documentOf({ config }: RequestRecord, status: Outcome): Exclude<ErrorDocument, { kind: 'default' }> | null {
  // A status without a meaning of its own has the document of 500.
  const document = config.core.errorDocuments?.get(knownStatus(status))
  return document === undefined || document.kind === 'default' ? null : document
}

function redirectTo(request: RequestRecord, url: string): void {
  request.status = 302
  request.reason = null
  request.headersOut.set('Location', url)
}

function makeTextPage(request: RequestRecord, text: string): void {
  prepareFields(request)
  request.contentType = pageTypeOf(request)
  request.replaceBody(text)
}

function pageTypeOf(request: RequestRecord): string {
  if (request.existingEnv?.has(WITHOUT_CHARSET) !== true) return PAGE_TYPE
  request.charsetSuppressed = true
  return 'text/html'
}

/** A 304 does not have a page, and keeps the fields that describe the unmodified resource. */
function makeNotModified(request: RequestRecord): void {
  const fields = [...request.headersOut]
  // The table is replaced, so that modules see that no handler responds.
  request.clearHeadersOut()
  addFields(request.headersOut, fields)
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
