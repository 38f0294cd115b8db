import {
  HTTP_BAD_REQUEST,
  HTTP_FORBIDDEN,
  OK,
  type Outcome,
  type ProviderGroup,
  type ProxyScheme,
  type Request,
  type SectionInfo,
} from '@gatewright/api'
import { splitTarget } from './split-target.ts'
import { hostInUrl, splitRequestUrl } from './workers/proxy-url.ts'

/** Characters of a path that need no escape; all others are escaped. */
const PLAIN = /[^A-Za-z0-9~$_.+!*'(),;:@&=/-]/g
const KEPT_SLASH = /%2f|[^A-Za-z0-9~$_.+!*'(),;:@&=/-]/gi
/** The codes of messages about URLs that cannot be parsed, by scheme; of all others AH01083. */
const PARSE_CODES: ReadonlyMap<string, string> = new Map([
  ['ajp', 'AH00867'],
  ['fcgi', 'AH01059'],
  ['scgi', 'AH00857'],
])
/** What would end a request line, or a part of it, early. No URL in canonical form has it. */
export const CONTROLS: RegExp = /[\x00-\x20\x7f]/

/**
 * Brings the URL of a request that is passed on into its canonical form: host in lower case, no user, no default port,
 * path escaped as far as it must be. What a backend would read as something else is refused.
 */
export function canonicalize(request: Request, schemes: ProviderGroup<ProxyScheme>): Outcome {
  const { socketPath, url } = splitRequestUrl(request, request.filename.slice(6))
  const colon = url.indexOf(':')
  if (colon < 0) return OK
  const name = url.slice(0, colon).toLowerCase()
  const scheme = schemes.get(name)
  // The handler reports that there is none.
  if (scheme === undefined) return OK
  const plain = plainForm(request, url, colon, scheme)
  const result = scheme.canonical === undefined ? withQuery(request, plain, scheme) : scheme.canonical(request, url, plain)
  if (typeof result === 'number') return result
  request.filename = socketPath === null ? `proxy:${result}` : `proxy:unix:${socketPath}|${result}`
  return OK
}

function plainForm(request: Request, url: string, colon: number, scheme: ProxyScheme): string | Outcome {
  const name = url.slice(0, colon).toLowerCase()
  const target = splitTarget(url.slice(colon + 1))
  if ('error' in target) {
    const code = PARSE_CODES.get(name)
    // As in httpd, only the messages about HTTP have the scheme.
    const shown = code === undefined ? url.slice(0, colon + 1) + target.shown : target.shown
    scheme.log.write(request, 'error', code ?? 'AH01083', `error parsing URL ${shown}: ${target.error}`)
    return HTTP_BAD_REQUEST
  }
  const path = pathOf(request, target.path)
  if (path === null) return HTTP_BAD_REQUEST
  if (path === target.path && CONTROLS.test(path)) {
    scheme.log.write(request, 'error', 'AH10415', 'To be forwarded path contains control characters or spaces')
    return HTTP_FORBIDDEN
  }
  const port = target.port === scheme.defaultPort || target.port === 0 ? '' : `:${target.port}`
  return `${name}://${hostInUrl(target.host)}${port}/${path}`
}

/** The canonical form of HTTP: with the query, unless the path has it already. */
function withQuery(request: Request, plain: string | Outcome, { log }: ProxyScheme): string | Outcome {
  if (typeof plain === 'number') return plain
  if (request.proxyRequest === 'forward' || request.args === null || request.notes.has('proxy-nocanon')) return plain
  if (CONTROLS.test(request.args)) {
    log.write(request, 'error', 'AH10408', 'To be forwarded query string contains control characters or spaces')
    return HTTP_FORBIDDEN
  }
  return `${plain}?${request.args}`
}

/** A client that uses the server as a proxy decides about the form of the path itself. */
function pathOf(request: Request, path: string): string | null {
  if (request.proxyRequest === 'forward' || request.notes.has('proxy-nocanon') || request.notes.has('proxy-noencode')) return path
  // As in httpd, sections of a request take the setting of the server back, but for those of the proxy.
  const keepsSlashes = request.server.keepsEncodedSlashes && request.config.sections.every(isOfProxy)
  return escapePath(path, keepsSlashes)
}

function isOfProxy({ kind }: SectionInfo): boolean {
  return kind === 'Proxy' || kind === 'ProxyMatch'
}

/**
 * @param keepsSlashes whether `%2f` is an encoded slash that was not decoded; other percent signs were decoded, and must
 * not begin an escape that is none
 * @returns null for such a percent sign
 */
function escapePath(path: string, keepsSlashes: boolean): string | null {
  if (!keepsSlashes) return path.replace(PLAIN, escapeByte)
  if (/%(?![0-9a-f]{2})/i.test(path)) return null
  return path.replace(KEPT_SLASH, (found) => (found.length === 3 ? found : escapeByte(found)))
}

function escapeByte(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}
