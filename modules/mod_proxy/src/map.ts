import { DECLINED, DONE, HTTP_INTERNAL_SERVER_ERROR, type ModuleLog, OK, type Outcome, type Request } from '@gatewright/api'
import { compileTemplate, fillTemplate } from '@gatewright/api/text'
import type { DirectoryConfig, Mapping } from './config.ts'
import { interpolate } from './interpolate.ts'
import type { PassingPlan } from './passing-plan.ts'
import { matchServlet } from './servlet-path.ts'

/** What the translate phases need beside the configuration. */
export interface MapParts {
  readonly log: ModuleLog
  /** Whether the protocol of a URL serves the request; null if every protocol serves every request. */
  readonly accepts: ((request: Request, url: string) => boolean) | null
  /** Remembers for the handler by which line a request was mapped. */
  keep(request: Request, plan: PassingPlan): void
}

/** Maps the path of a request to the URL of a backend, in one of the two phases that do so. */
export function mapToBackend(
  request: Request,
  config: Readonly<DirectoryConfig>,
  phase: Mapping['phase'],
  parts: MapParts,
): Outcome {
  // Another function, or the client, has named the backend already.
  if (request.proxyRequest !== null) return phase === 'encoded' ? DECLINED : OK
  if (request.env.has('no-proxy')) return DECLINED
  const { mapping, mappings } = config
  if (mapping !== undefined && mapping.phase === phase) {
    const outcome = tryMapping(request, mapping, config, parts)
    if (outcome !== null) return outcome
  }
  for (let index = 0; index < mappings.length; index++) {
    if (mappings[index].phase !== phase) continue
    const outcome = tryMapping(request, mappings[index], config, parts)
    if (outcome !== null) return outcome
  }
  return DECLINED
}

/** null if the line does not apply. */
function tryMapping(request: Request, mapping: Mapping, config: Readonly<DirectoryConfig>, parts: MapParts): Outcome | null {
  const replaces = mapping.interpolates && config.interpolates === true
  const from = replaces ? interpolate(request, mapping.from) : mapping.from
  const to = replaces ? interpolate(request, mapping.to) : mapping.to
  const { uri, unparsedUri } = request
  const keepsForm = mapping.noCanonical && !mapping.isServlet
  const servlet = mapping.isServlet ? matchServlet(uri, from) : null
  let isUnsafe = false
  let url: string
  if (mapping.pattern !== null) {
    const groups = mapping.pattern.match(uri)
    if (groups === null) return null
    if (to === '!') return DECLINED
    const sentGroups = keepsForm ? mapping.pattern.match(unparsedUri) : null
    isUnsafe = keepsForm && sentGroups === null
    const filled = fillTemplate(compileTemplate(to), sentGroups ?? groups)
    // Without a reference to a group, the path is appended.
    url = filled === to ? to + (sentGroups === null ? uri : unparsedUri) : filled
  } else {
    const length = mapping.isServlet ? (servlet?.length ?? 0) : matchPath(uri, from)
    if (length === 0) return null
    if (to === '!') return DECLINED
    isUnsafe = keepsForm && matchPath(unparsedUri, from) !== length
    url = to + (keepsForm && !isUnsafe ? unparsedUri : uri).slice(length)
  }
  if (isUnsafe) {
    parts.log.write(request, 'warn', 'AH01136', 'Unescaped URL path matched ProxyPass; ignoring unsafe nocanon')
  }
  if (url.length > MAX_URL) {
    parts.log.write(request, 'error', 'AH01135', 'Substitution in regular expression failed. Replacement too long?')
    return HTTP_INTERNAL_SERVER_ERROR
  }
  if (parts.accepts !== null && !parts.accepts(request, url)) return null
  request.filename = `proxy:${url}`
  request.handler = 'proxy-server'
  request.proxyRequest = 'reverse'
  if (keepsForm && !isUnsafe) request.notes.set('proxy-nocanon', '1')
  if (mapping.phase === 'encoded') request.notes.set('proxy-noencode', '1')
  // Sections of the URI apply to what the container reads.
  if (servlet !== null) request.uri = servlet.uri
  parts.keep(request, { worker: mapping.worker, socketPath: mapping.socketPath })
  return mapping.phase === 'encoded' ? DONE : OK
}

/** In bytes; as in httpd, the result of a pattern is not longer. */
const MAX_URL = 256 * 1024

/**
 * How much of a URI a path matches, 0 for none. Any number of slashes matches any number; the match ends at the end of a
 * segment, unless the path ends with a slash.
 */
export function matchPath(uri: string, path: string): number {
  let at = 0
  let from = 0
  while (from < path.length && at < uri.length) {
    if (path.charCodeAt(from) === SLASH) {
      if (uri.charCodeAt(at) !== SLASH) return 0
      while (path.charCodeAt(from) === SLASH) from++
      while (uri.charCodeAt(at) === SLASH) at++
    } else if (uri.charCodeAt(at++) !== path.charCodeAt(from++)) return 0
  }
  if (from < path.length) return 0
  if (from === 0 || path.charCodeAt(from - 1) === SLASH) return at
  return at === uri.length || uri.charCodeAt(at) === SLASH ? at : 0
}

const SLASH = 47
