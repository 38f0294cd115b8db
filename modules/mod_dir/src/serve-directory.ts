import {
  DECLINED,
  HTTP_MOVED_PERMANENTLY,
  httpStatus,
  M_GET,
  type MaybePromise,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'
import { traceDirective } from '@gatewright/api/tracing'
import type { DirConfig } from './config.ts'
import { isErrorStatus, isRedirectStatus, isServable, passOn, resourceUri } from './lookup.ts'

/** httpd's content type and handler for folders. */
export const DIRECTORY_HANDLER: string = 'httpd/unix-directory'

/** Cost of a name, which is looked up with a sub-request, in microseconds. */
const STEPS_OF_A_LOOKUP = 32

const DEFAULT_NAMES: readonly string[] = ['index.html']

/** Handles a request for a folder: adds the slash, or serves the first index file that exists. */
export function serveDirectory(request: Request, config: Readonly<DirConfig>): MaybePromise<Outcome> {
  request.handler ??= DIRECTORY_HANDLER
  if (request.pathInfo !== '') return DECLINED
  if (!request.uri.endsWith('/')) return addSlash(request, config)
  if (request.handler === 'redirect-handler' || (config.checkHandler === true && request.handler !== DIRECTORY_HANDLER)) {
    if (request.contentType === DIRECTORY_HANDLER) request.contentType = null
    return DECLINED
  }
  return tryIndexes(request, config, config.indexNames ?? DEFAULT_NAMES, 0, 0)
}

/**
 * Redirects to the URL with a slash. `redirect-carefully` marks old WebDAV clients, which support redirects
 * only for GET.
 */
function addSlash(request: Request, config: Readonly<DirConfig>): Outcome {
  if (config.slash === false) return DECLINED
  if (request.methodNumber !== M_GET && request.env.has('redirect-carefully')) return DECLINED
  const query = request.args === null ? '' : `?${request.args}`
  request.headersOut.set('Location', request.absoluteUrl(`${escapeUriPath(request.uri)}/${query}`))
  traceDirective(request, 'DirectorySlash', null, 'redirects to the URL of the folder, with a slash')
  return HTTP_MOVED_PERMANENTLY
}

/**
 * Tries the names from index `first` on. If there are many, other requests are served in between.
 * @param failure status of the last name that failed with another status than 404, 0 if there is none. It is
 * the response if no other name succeeds, because a forbidden index file must not lead to a listing of its
 * folder.
 */
function tryIndexes(
  request: Request,
  config: Readonly<DirConfig>,
  names: readonly string[],
  first: number,
  failure: number,
): MaybePromise<Outcome> {
  let failed = failure
  for (let i = first; i < names.length; i++) {
    // The first name is free, like the request itself.
    const found =
      i > 0 && request.work.spend(STEPS_OF_A_LOOKUP) ? lookUpLater(request, config, names[i]) : lookUp(request, names[i])
    if (found instanceof Promise) {
      return found.then((sub) => {
        const answer = judge(request, config, sub, i === names.length - 1)
        return answer ?? tryIndexes(request, config, names, i + 1, failureOf(sub, failed))
      })
    }
    const answer = judge(request, config, found, i === names.length - 1)
    if (answer !== undefined) return answer
    failed = failureOf(found, failed)
  }
  if (failed !== 0) return httpStatus(failed)
  // mod_autoindex logs the names.
  request.notes.set('dir-index-names', names.join(','))
  // FallbackResource applies to the index files, which have requests of their own, not to the folder.
  return DECLINED
}

function lookUp(request: Request, name: string): MaybePromise<Request> {
  return request.lookupUri(resourceUri(request, name))
}

async function lookUpLater(request: Request, config: Readonly<DirConfig>, name: string): Promise<Request> {
  await request.work.pause(config.indexPlace)
  return lookUp(request, name)
}

function failureOf(sub: Request, before: number): number {
  return isErrorStatus(sub.status) ? sub.status : before
}

/** The outcome for the index file that was looked up; undefined to try the next name. */
function judge(request: Request, config: Readonly<DirConfig>, sub: Request, isLast: boolean): Outcome | undefined {
  if (isServable(sub)) {
    const status = config.indexRedirect ?? 0
    if (request.tracer !== null)
      traceDirective(
        request,
        'DirectoryIndex',
        config.indexPlace,
        status === 0 ? `serves ${sub.uri}` : `redirects to ${sub.uri} (${status})`,
      )
    if (status === 0) {
      request.fastRedirect(sub)
      return OK
    }
    // As in httpd, without the query of the request.
    request.headersOut.set('Location', request.absoluteUrl(escapeUriPath(sub.uri)))
    return httpStatus(status)
  }
  const { status } = sub
  return isRedirectStatus(status) || (isLast && (status === 401 || status === 406)) ? passOn(request, sub) : undefined
}
