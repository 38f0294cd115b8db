import { requireByteText } from '@gatewright/api/text'
import { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import { copyClient, setTarget, tooManyRedirects } from './next-request.ts'

/**
 * Creates the request that replaces another one for an internal redirect or an ErrorDocument.
 * @returns null if the client's request has exceeded the limit of redirects
 */
export function redirectedRequest(request: RequestRecord, uri: string, log: CoreLog): RequestRecord | null {
  requireByteText('the URI of a redirect', uri)
  if (tooManyRedirects(request, log)) return null
  const next = new RequestRecord(
    request.host,
    request.connection,
    request.exchange,
    request.server,
    request.headersIn,
    request.main,
    request,
  )
  copyClient(next, request)
  next.asker = request.asker
  next.observer = request.observer
  next.method = request.method
  next.methodNumber = request.methodNumber
  next.headerOnly = request.headerOnly
  next.status = request.status
  next.noCache = request.noCache
  // Filters that pass several responses of a client treat the later ones like the first.
  next.rangeRefused = request.rangeRefused
  next.redirectDepth = request.redirectDepth + 1
  next.subrequestDepth = request.subrequestDepth
  next.adoptErrHeaders(request)
  next.takeKeptBody(request)
  for (const [name, value] of request.existingEnv ?? []) next.env.set(`REDIRECT_${name}`, value)
  next.env.set('REDIRECT_STATUS', String(request.status))
  if (request.existingNotes?.has('redirect-keeps-vary') === true) keepVary(next, request)
  setTarget(next, uri)
  request.next = next
  return next
}

/** The choice of this target depended on these fields. */
function keepVary(to: RequestRecord, from: RequestRecord): void {
  const vary = from.existingHeadersOut?.get('Vary')
  if (vary !== undefined) to.headersOut.set('Vary', vary)
}
