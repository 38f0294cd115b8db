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
import { hostInUrl } from './workers/proxy-url.ts'

/** Characters of a path that need no escape; all others are escaped. */
const PLAIN = /[^A-Za-z0-9~$_.+!*'(),;:@&=/-]/g
const KEPT_SLASH = /%2f|[^A-Za-z0-9~$_.+!*'(),;:@&=/-]/gi
const CONTROLS = /[\x00-\x20\x7f]/

/**
 * Brings the URL of a request that is passed on into its canonical form: host in lower case, no user, no default port,
 * path escaped as far as it must be. What a backend would read as something else is refused.
 */
export function canonicalize(request: Request, schemes: ProviderGroup<ProxyScheme>): Outcome {
  const url = request.filename.slice(6)
  const colon = url.indexOf(':')
  if (colon < 0) return OK
  const name = url.slice(0, colon).toLowerCase()
  const scheme = schemes.get(name)
  // The handler reports that there is none.
  if (scheme === undefined) return OK
  const plain = plainForm(request, name, url.slice(colon + 1), scheme)
  const result = scheme.canonical === undefined ? withQuery(request, plain, scheme) : scheme.canonical(request, url, plain)
  if (typeof result === 'number') return result
  request.filename = `proxy:${result}`
  return OK
}

function plainForm(request: Request, name: string, rest: string, scheme: ProxyScheme): string | Outcome {
  const target = splitTarget(rest)
  if (typeof target.error === 'string') {
    scheme.log.write(request, 'error', 'AH01083', `error parsing URL ${rest}: ${target.error}`)
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

interface Target {
  readonly host: string
  /** 0 if absent. */
  readonly port: number
  /** Without its first slash. */
  readonly path: string
  readonly error?: string
}

/** What configurations name as a rule: a host in lower case and a valid port. */
const PLAIN_AUTHORITY = /^([a-z0-9.-]+)(?::(\d{1,4}))?$/

/** Splits `//USER@HOST:PORT/PATH`. */
function splitTarget(rest: string): Target {
  const failed = (error: string): Target => ({ host: '', port: 0, path: '', error })
  if (!rest.startsWith('//')) return failed('Malformed URL')
  const slash = rest.indexOf('/', 2)
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash)
  const path = slash < 0 ? '' : rest.slice(slash + 1)
  const plain = PLAIN_AUTHORITY.exec(authority)
  if (plain !== null) return { host: plain[1], port: plain[2] === undefined ? 0 : Number(plain[2]), path }
  const named = authority.slice(authority.lastIndexOf('@') + 1)
  // As in httpd, a port that is no number belongs to the name, which then does not resolve.
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(named) ?? [named, named]
  if (named.startsWith('[') && !/^\[[^\]]*\](?::\d*)?$/.test(named)) return failed('Bad IPv6 address in URL')
  const [, bracketed, digits = ''] = parts
  const port = digits === '' ? 0 : Number(digits)
  if (port > 65_535) return failed('Port number in URL > 65535')
  const host = (bracketed.startsWith('[') ? bracketed.slice(1, -1) : bracketed).toLowerCase()
  // Any other name that is none does not resolve.
  if (host === '' || CONTROLS.test(host)) return failed('Bad host in URL')
  return { host, port, path }
}
