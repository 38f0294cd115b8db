import { httpStatus, type Outcome, type Request } from '@gatewright/api'
import { escapeUriPath } from '@gatewright/api/text'

/** URL of a resource in the configuration, relative to the request's folder, with the request's query. */
export function resourceUri(request: Request, name: string): string {
  const path = name.startsWith('/') ? name : escapeUriPath(request.uri.slice(0, request.uri.lastIndexOf('/') + 1)) + name
  return request.args === null ? path : `${path}?${request.args}`
}

/**
 * Whether a lookup found a regular file, or a resource for a proxy. A lookup of `none/index.html` may succeed
 * with path info.
 */
export function isServable(sub: Request): boolean {
  return sub.status === 200 && (sub.fileInfo?.kind === 'file' || sub.handler === 'proxy-server')
}

export function isRedirectStatus(status: number): boolean {
  return status >= 300 && status <= 399
}

/** Whether the lookup failed for a reason other than a missing file. */
export function isErrorStatus(status: number): boolean {
  return status !== 200 && status !== 404
}

/** Responds with the status and the headers of the sub-request. */
export function passOn(request: Request, sub: Request): Outcome {
  request.addFieldsOf(sub)
  return httpStatus(sub.status)
}
