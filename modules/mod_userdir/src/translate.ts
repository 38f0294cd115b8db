import { statSync } from 'node:fs'
import { DECLINED, HTTP_MOVED_TEMPORARILY, OK, type Outcome, type Request } from '@gatewright/api'
import { isServed, type UserDirConfig } from './config.ts'
import { placeOf } from './place.ts'

/** The translate phase for `/~user/...`: maps to the first folder that exists, or to the last one. */
export function translate(
  request: Request,
  config: Readonly<UserDirConfig>,
  homeFolder: (user: string) => string | null,
): Outcome {
  const { uri } = request
  if (config.places === null || !uri.startsWith('/~')) return DECLINED
  const slash = uri.indexOf('/', 2)
  const end = slash < 0 ? uri.length : slash
  const user = uri.slice(2, end)
  if (user === '' || user === '.' || user === '..' || !isServed(config, user)) return DECLINED
  // Slashes that MergeSlashes Off preserves are not part of the user's name.
  const rest = uri.slice(end).replace(/^\/{2,}/, '/')
  for (const [index, word] of config.places.entries()) {
    const place = placeOf(word, user, rest, homeFolder)
    if (place === null) continue
    if (place.kind === 'url') {
      request.headersOut.set('Location', place.url)
      return HTTP_MOVED_TEMPORARILY
    }
    if (index < config.places.length - 1 && !exists(place.path)) continue
    request.filename = `${place.path}${rest}`
    request.contextPrefix = uri.slice(0, end)
    request.contextDocumentRoot = place.path
    // For modules that run scripts as this user.
    request.notes.set('mod_userdir_user', user)
    return OK
  }
  return DECLINED
}

function exists(path: string): boolean {
  try {
    return statSync(Buffer.from(path, 'latin1'), { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
