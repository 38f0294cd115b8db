import { HTTP_NOT_FOUND, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import { directoryWalk, type WalkContext } from '../sections/directory-walk.ts'
import { fileWalk } from '../sections/file-walk.ts'
import type { CoreLog } from '../services/error-log.ts'

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
