import { HTTP_MOVED_TEMPORARILY, httpStatus, type Outcome } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { escapeAbsoluteUrl, type SchemePart } from './absolute-url.ts'
import type { Run } from './run.ts'

/** Whether the URL of a redirect is escaped. */
export type Escaping = 'escape' | 'asItIs'

/**
 * Responds with a redirect to the URL in the file name.
 * @param before the query before the rules were applied; if it is unchanged, it is sent without escaping
 */
export function redirectToUrl(run: Run, scheme: SchemePart, escaping: Escaping, before: string | null): Outcome {
  const { request, trace, directory } = run
  let url = request.filename
  if (escaping === 'escape') {
    trace?.write(1, directory, `escaping ${url} for redirect`)
    url = escapeAbsoluteUrl(url, scheme)
  }
  const { args } = request
  if (args !== null) {
    const copied = escaping === 'asItIs' || args === before
    const query = copied ? args : escapeUriPath(args)
    trace?.write(1, directory, `${copied ? 'copying' : 'escaping'} ${args} to query string for redirect ${copied ? '' : query}`)
    url = `${url}?${query}`
  }
  const { status } = request
  const redirects = status >= 300 && status <= 399
  if (redirects) request.status = 200
  const outcome = redirects ? httpStatus(status) : HTTP_MOVED_TEMPORARILY
  request.filename = url
  request.headersOut.set('Location', url)
  trace?.write(1, directory, `redirect to ${url} [REDIRECT/${outcome}]`)
  return outcome
}
