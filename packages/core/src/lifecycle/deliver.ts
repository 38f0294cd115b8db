import { DONE, HTTP_INTERNAL_SERVER_ERROR, httpStatus, OK, type Outcome } from '@gatewright/api'
import { httpDate } from '@gatewright/api/text'
import type { RequestRecord } from '../model/request-record.ts'
import type { FilterChain } from '../response/filter-chain.ts'
import { applyVersionVariables } from '../response/forced-version.ts'
import type { ImageSender } from '../response/image-sender.ts'
import { findInvalidField, takeField } from '../response/own-fields.ts'
import { asksForRanges, isRangeRefused } from '../response/requested-ranges.ts'
import type { Responder } from '../response/responder.ts'
import { isTunnel } from '../response/tunnel.ts'
import { unfoldValues } from '../response/unfold-values.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { ErrorAnswers } from './error-answer.ts'
import type { HookRows } from './hook-rows.ts'
import { type Phase, phase, type Verdict } from './phase.ts'
import { reduceToStatus } from './retry.ts'

export interface DeliveryParts {
  readonly filters: FilterChain
  readonly images: ImageSender
  readonly responder: Responder
  readonly errors: ErrorAnswers
  readonly log: CoreLog
  /** httpd reports invalid fields under the name of this module. */
  readonly httpLog: CoreLog
}

/**
 * The phases from a complete response, left in the request by a handler or an error, to the first byte sent.
 * An error in them is replaced by a page that passes them from the start; DONE means that this request has
 * responded, or another one does.
 */
export function deliveryPhases(
  hooks: HookRows,
  { filters, images, responder, errors, log, httpLog }: DeliveryParts,
): readonly Phase[] {
  /** The failed function may be one that protects a site, so the response that it processed is not sent. */
  const replaceIfFailed: Verdict = (request, outcome) => {
    if (outcome !== OK && request.errorStatus !== HTTP_INTERNAL_SERVER_ERROR)
      errors.replaceBy(request, HTTP_INTERNAL_SERVER_ERROR)
    return OK
  }

  const refuseRanges = (request: RequestRecord): Outcome => {
    if (!isRangeRefused(request)) return OK
    request.rangeRefused = true
    request.reason = null
    // httpd has counted the response that this one replaces.
    request.connection.keepalives++
    // Fields that describe the file do not describe the error page.
    request.existingErrHeadersOut?.clear()
    return httpStatus(416)
  }

  /** After a 1xx the client waits for a final response, and would take the next response for it. */
  const replaceInterim = (request: RequestRecord): Outcome => {
    log.write(request, 'error', 'AH01579', `Invalid response status ${request.status}`)
    errors.replaceBy(request, HTTP_INTERNAL_SERVER_ERROR)
    return OK
  }

  const checkFields = (request: RequestRecord): Outcome => {
    let invalid = findInvalidField(request)
    if (invalid !== null && unfoldValues(request)) invalid = findInvalidField(request)
    if (invalid === null) return OK
    httpLog.write(request, 'error', invalid.code, invalid.text)
    return wasFieldRefused(request) ? reduceToStatus(request) : refuseFields(request)
  }

  const send = (request: RequestRecord): Outcome => {
    request.answer.begin(request)
    responder.send(request)
    return DONE
  }

  return [
    phase('claimAnswer', claimAnswer),
    hooks.voidPhase('insertErrorFilter', { when: isError, verdict: replaceIfFailed }),
    phase('outputFilters', (request) => filters.pass(request), { when: isFiltered }),
    phase('refuseRanges', refuseRanges, { when: asksForRanges }),
    hooks.asyncVoidPhase('fixupHeaders', { verdict: replaceIfFailed }),
    phase('replaceInterim', replaceInterim, { when: isInterim }),
    phase('completeFields', completeFields),
    phase('sendImage', (request) => images.send(request)),
    phase('checkFields', checkFields),
    phase('send', send),
  ]
}

function claimAnswer(request: RequestRecord): Outcome {
  return request.answer.claim(request) ? OK : DONE
}

function isError({ errorStatus }: RequestRecord): boolean {
  return errorStatus !== 0
}

function isFiltered({ outputFilters, body }: RequestRecord): boolean {
  return outputFilters !== null && !isTunnel(body)
}

function completeFields(request: RequestRecord): Outcome {
  applyVersionVariables(request)
  if (request.noCache) expireAtOnce(request)
  if (request.existingNotes?.has('no-etag') === true) takeField(request, 'ETag')
  return OK
}

/** A field set by a module limits how long caches may keep the response. */
function expireAtOnce(request: RequestRecord): void {
  if (request.existingErrHeadersOut?.has('Expires') === true || request.headersOut.has('Expires')) return
  request.headersOut.set('Expires', httpDate(request.receivedAt))
}

function isInterim({ status, body }: RequestRecord): boolean {
  return status >= 100 && status < 200 && !isTunnel(body)
}

/**
 * Fields that are always sent would be sent with the error page as well: if they are invalid, the page cannot
 * be sent either.
 */
function refuseFields(request: RequestRecord): Outcome {
  request.fieldsRefused = true
  if (request.status !== HTTP_INTERNAL_SERVER_ERROR) request.reason = null
  request.lengthUnstated = true
  request.existingErrHeadersOut?.clear()
  return HTTP_INTERNAL_SERVER_ERROR
}

/** Also true if the error was found in a request that was redirected to this one. */
function wasFieldRefused(request: RequestRecord): boolean {
  for (let one: RequestRecord | null = request; one !== null; one = one.prev) if (one.fieldsRefused) return true
  return false
}
