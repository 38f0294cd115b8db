import { DECLINED, type MaybePromise, type Outcome, type Request } from '@gatewright/api'

/** The handler of requests that rules of a directory sent elsewhere, and the mark in front of their target. */
export const REDIRECT_HANDLER = 'redirect-handler'
export const REDIRECT = 'redirect:'

/** Serves what the rules of a directory came to. */
export function serveRedirect(request: Request): MaybePromise<Outcome> {
  if (request.handler !== REDIRECT_HANDLER || !request.filename.startsWith(REDIRECT)) return DECLINED
  const query = request.args === null ? '' : `?${request.args}`
  return request.internalRedirect(request.filename.slice(REDIRECT.length) + query)
}
