import { HTTP_BAD_REQUEST, HTTP_NOT_FOUND, OK, type Outcome } from '@gatewright/api'
import { decodePath, normalizePath, resolveSegments } from '../base/uri-path.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { isForProxy, targetAsSent } from '../model/request-target.ts'
import type { CoreLog } from '../services/error-log.ts'

/** Only a proxy serves an absolute target of another scheme. */
export function refuseForProxy(request: RequestRecord): Outcome {
  return request.proxyRequest === null && isForProxy(request) ? HTTP_BAD_REQUEST : OK
}

/**
 * Decodes unreserved characters of the request's URI, resolves `.` and `..` segments, and merges slashes
 * unless MergeSlashes is off.
 */
export function normaliseUri(request: RequestRecord, log: CoreLog): Outcome {
  const path = normalizePath(request.uri, slashesOf(request))
  if (typeof path === 'string') {
    request.uri = path
    return OK
  }
  request.uri = path.resolved
  log.write(request, 'error', 'AH10244', `invalid URI path (${targetAsSent(request)})`)
  return HTTP_BAD_REQUEST
}

/** Decodes all escapes of a normalised URI (AllowEncodedSlashes). */
export function decodeUri(request: RequestRecord, log: CoreLog): Outcome {
  const encodedSlashes = request.server.core.allowEncodedSlashes ?? 'off'
  const path = decodePath(request.uri, encodedSlashes)
  if (typeof path === 'string') {
    if (path !== request.uri) takeDecoded(request, path)
    return OK
  }
  request.uri = path.decoded
  if (path.failure !== 'slash') return HTTP_BAD_REQUEST
  // If encoded slashes are allowed, the invalid escape was a zero byte.
  if (encodedSlashes === 'off')
    log.write(request, 'info', 'AH00026', `found %2f (encoded '/') in URI path (${targetAsSent(request)}), returning 404`)
  return HTTP_NOT_FOUND
}

/**
 * Parses the URI of a lookup by file name like a URI that a client sent, although the name is already
 * decoded: a percent sign in it starts an escape.
 */
export function readUriOfFile(request: RequestRecord, log: CoreLog): Outcome {
  const outcome = normaliseUri(request, log)
  return outcome === OK ? decodeUri(request, log) : outcome
}

function takeDecoded(request: RequestRecord, path: string): void {
  request.uri = path
  if (request.server.core.allowEncodedSlashes !== 'on') return
  // Decoded slashes may have created new segments. httpd accepts segments that climb above the root.
  const again = resolveSegments(path, slashesOf(request))
  request.uri = typeof again === 'string' ? again : again.resolved
}

function slashesOf(request: RequestRecord): 'merge' | 'keep' {
  return request.server.core.mergeSlashes === false ? 'keep' : 'merge'
}
