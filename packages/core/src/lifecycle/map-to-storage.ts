import { HTTP_NOT_FOUND, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import { MAPPING } from '../model/request-states.ts'
import { directoryWalk, type WalkContext } from '../sections/directory-walk.ts'
import { fileWalk } from '../sections/file-walk.ts'
import type { CoreLog } from '../services/error-log.ts'

/**
 * The phase before the mapToStorage hook. Folders and files are merged over the server's defaults: the
 * configuration that was merged for the URI applied only to its translation.
 */
export function forgetUriSections(request: RequestRecord): Outcome {
  request.config = request.server.walkBase
  request.walkStage = MAPPING
  return OK
}

/**
 * Core's own function in the mapToStorage hook: walks the folders with their .htaccess files, then the
 * `<Files>` sections.
 */
export function mapToStorage(walk: WalkContext, log: CoreLog): (request: RequestRecord) => MaybePromise<Outcome> {
  const map = (request: RequestRecord): MaybePromise<Outcome> => {
    if (request.filename === '') {
      log.write(request, 'error', 'AH00029', `Module bug?  Request filename is missing for URI ${request.uri}`)
      return HTTP_NOT_FOUND
    }
    const result = directoryWalk(request, walk)
    // The walk waited for a .htaccess file. Its results up to that point are cached, and the walk restarts.
    if (typeof result !== 'number') return result.then(() => map(request))
    if (result !== OK) return result
    const merged = fileWalk(request, request.config)
    if (merged instanceof Promise) {
      return merged.then((config) => {
        request.config = config
        return OK
      })
    }
    request.config = merged
    return OK
  }
  return map
}
