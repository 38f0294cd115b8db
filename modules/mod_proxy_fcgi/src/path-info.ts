import { statSync } from 'node:fs'
import type { Request } from '@gatewright/api'
import { decodePercent } from '@gatewright/api/text'

const VARIABLE = 'proxy-fcgi-pathinfo'

/** The path of a URL, and all that follows the host. */
export function pathOf(url: string): string {
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  return slash < 0 ? '' : url.slice(slash)
}

/**
 * ProxyPass does not know where a script ends and PATH_INFO begins: the variable `proxy-fcgi-pathinfo` says how to guess.
 * Any other value makes PATH_INFO the whole path.
 */
export function guessPathInfo(request: Request, url: string): void {
  const kind = request.env.get(VARIABLE)?.toLowerCase()
  if (kind === undefined || kind === 'full') return
  const path = pathOf(url)
  if (kind === 'first-dot' || kind === 'last-dot') {
    const dot = kind === 'first-dot' ? path.indexOf('.') : path.lastIndexOf('.')
    const slash = dot < 0 ? -1 : path.indexOf('/', dot)
    if (slash >= 0) request.pathInfo = decodePercent(path.slice(slash))
  } else request.pathInfo = kind === 'unescape' ? decodePercent(path) : path
}

/**
 * The value `full`: the file system decides where the script ends.
 * @returns the file, and PATH_INFO is set in the request; null without the variable, or if there is no such file
 */
export function splitAtFile(request: Request, url: string): string | null {
  if (request.env.get(VARIABLE)?.toLowerCase() !== 'full') return null
  const path = decodePercent(pathOf(url))
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
    const stats = statSync(path.slice(0, end), { throwIfNoEntry: false })
    if (stats === undefined) continue
    if (!stats.isFile()) return null
    request.pathInfo = path.slice(end)
    return path.slice(0, end)
  }
  return null
}
