import { DECLINED, type MaybePromise, type Outcome, type Request } from '@gatewright/api'

/** The handler of requests that rules of a directory redirect internally, and the prefix of their target. */
export const REDIRECT_HANDLER = 'redirect-handler'
export const REDIRECT = 'redirect:'

/** Redirects a request internally to the result of a directory's rules. */
export function serveRedirect(request: Request): MaybePromise<Outcome> {
  if (request.handler !== REDIRECT_HANDLER || !request.filename.startsWith(REDIRECT)) return DECLINED
  const query = request.args === null ? '' : `?${request.args}`
  return request.internalRedirect(request.filename.slice(REDIRECT.length) + query)
}
