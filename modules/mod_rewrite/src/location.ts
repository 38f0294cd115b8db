import { HTTP_MOVED_TEMPORARILY, httpStatus, type Outcome } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { escapeAbsoluteUrl, type SchemePart } from './absolute-url.ts'
import type { Run } from './run.ts'

/** How the URL of a redirect is sent. */
export type Escaping = 'escape' | 'asItIs'

/**
 * Answers with a redirect to the URL that the file name has become.
 * @param before the query as it was before the rules: it is sent on as it came
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
