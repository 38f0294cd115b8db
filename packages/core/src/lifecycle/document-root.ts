import { HTTP_BAD_REQUEST, HTTP_FORBIDDEN, OK, type Outcome } from '@gatewright/api'
import { systemError } from '@gatewright/log'
import { mergeSlashes } from '../base/uri-path.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { ServerRecord } from '../model/server-record.ts'
import { isBelowServerPath } from '../model/virtual-hosts.ts'
import type { CoreLog } from '../services/error-log.ts'

/** The longest file name that the system accepts, in bytes. */
const MAX_PATH = 4096

/**
 * Core's own function in the translateName hook: a URI that no module mapped is a file below DocumentRoot.
 */
export function translateToDocumentRoot(request: RequestRecord, log: CoreLog): Outcome {
  const { uri } = request
  if (uri === '*') {
    // Only OPTIONS may ask about the server as a whole.
    if (request.method !== 'OPTIONS') return invalid(request, log)
    request.filename = request.server.documentRoot
    return OK
  }
  if (!uri.startsWith('/')) return invalid(request, log)
  const root = request.server.documentRoot
  const path = withoutServerPath(request.server, uri)
  const filename = root === '/' ? path || '/' : `${root}${mergeSlashes(path)}`
  if (filename.length >= MAX_PATH) {
    log.write(request, 'error', 'AH00127', `Cannot map ${request.requestLine} to file`, systemError(36))
    return HTTP_FORBIDDEN
  }
  request.filename = filename
  return OK
}

/** The path that selects a server (ServerPath) is not a folder of that server. */
function withoutServerPath(server: ServerRecord, uri: string): string {
  if (!isBelowServerPath(server, uri)) return uri
  const rest = uri.slice(server.core.serverPath?.length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

function invalid(request: RequestRecord, log: CoreLog): Outcome {
  log.write(request, 'error', 'AH00126', `Invalid URI in request '${request.uri}' '${request.requestLine}'`)
  return HTTP_BAD_REQUEST
}
