import { HTTP_BAD_REQUEST, HTTP_NOT_FOUND, OK, type Outcome } from '@gatewright/api'
import type { CoreLog } from '../services/error-log.ts'
import type { RequestRecord } from './request-record.ts'
import { targetAsSent } from './request-target.ts'
import { decodePath, normalizePath, resolveSegments } from './uri-path.ts'

/** Decodes unreserved characters of the request's URI and resolves its segments. */
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

/** Decodes all escapes of a normalised URI, as AllowEncodedSlashes says. */
export function decodeUri(request: RequestRecord, log: CoreLog): Outcome {
  const encoded = request.server.core.allowEncodedSlashes ?? 'off'
  const path = decodePath(request.uri, encoded)
  if (typeof path === 'string') {
    if (path !== request.uri) takeDecoded(request, path)
    return OK
  }
  request.uri = path.decoded
  if (path.failure === 'slash') {
    // Where slashes may be encoded it was a zero byte.
    if (encoded !== 'off') return HTTP_NOT_FOUND
    log.write(request, 'info', 'AH00026', `found %2f (encoded '/') in URI path (${targetAsSent(request)}), returning 404`)
    return HTTP_NOT_FOUND
  }
  return HTTP_BAD_REQUEST
}

/** The URI of a lookup by file name is read like one that was sent, although the name is a decoded one: a percent sign in it begins an escape. */
export function readUriOfFile(request: RequestRecord, log: CoreLog): Outcome {
  const outcome = normaliseUri(request, log)
  return outcome === OK ? decodeUri(request, log) : outcome
}

function slashesOf(request: RequestRecord): 'merge' | 'keep' {
  return request.server.core.mergeSlashes === false ? 'keep' : 'merge'
}

function takeDecoded(request: RequestRecord, path: string): void {
  request.uri = path
  if (request.server.core.allowEncodedSlashes !== 'on') return
  // Slashes that were encoded until now may have made new segments. httpd does not mind those that climb above the root.
  const again = resolveSegments(path, slashesOf(request))
  request.uri = typeof again === 'string' ? again : again.resolved
}
