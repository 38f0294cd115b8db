import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  isExpressionError,
  type MaybePromise,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { fillTemplate, matchUrlPrefix } from '@gatewright/api/text'
import { traceDirective } from '@gatewright/api/tracing'
import type { AliasRule, PatternAlias } from './alias-rule.ts'
import type { AliasConfig, LocationAlias } from './config.ts'
import { absolutePath } from './file-path.ts'
import { REDIRECT_IN_TRANSLATION } from './messages.ts'
import { tryRedirects } from './redirect.ts'

/** The translate phase: first redirects of the server and of `<Location>`, then aliases, each in order. */
export function translate(request: Request, config: Readonly<AliasConfig>, log: ModuleLog): MaybePromise<Outcome> {
  const { uri } = request
  // Rules do not apply to a URI such as `*`.
  if (uri !== '' && uri.charCodeAt(0) !== 0x2f) return DECLINED
  const redirected = tryRedirects(request, config, config.serverRedirects, log, REDIRECT_IN_TRANSLATION)
  if (redirected instanceof Promise)
    return redirected.then((late) => (late === DECLINED ? mapAliases(request, config, log) : late))
  return redirected === DECLINED ? mapAliases(request, config, log) : redirected
}

function mapAliases(request: Request, config: Readonly<AliasConfig>, log: ModuleLog): Outcome {
  if (config.alias !== undefined) return mapLocation(request, config.alias, config, log)
  for (const rule of config.serverAliases) {
    const file = rule.kind === 'prefix' ? mapPrefix(request, rule.prefix, rule.target) : mapPattern(request, rule)
    if (file === null) continue
    return served(request, file, rule)
  }
  return DECLINED
}

/** Appends the rest of the URL, which contains no `..` because the host has normalized it. */
function mapPrefix(request: Request, prefix: string, target: string): string | null {
  const length = matchUrlPrefix(request.uri, prefix)
  if (length === 0) return null
  request.contextPrefix = prefix
  request.contextDocumentRoot = target
  return target + request.uri.slice(length)
}

/** Replaces the whole URL; the request keeps the context of the DocumentRoot. */
function mapPattern(request: Request, rule: PatternAlias): string | null {
  const groups = rule.pattern.match(request.uri)
  return groups === null ? null : absolutePath(rule.serverRoot, fillTemplate(rule.target, groups))
}

/**
 * `Alias TARGET` in a `<Location>`: every URL of the section maps to the same file, unless AliasPreservePath
 * appends the rest of the URL.
 */
function mapLocation(request: Request, alias: LocationAlias, config: Readonly<AliasConfig>, log: ModuleLog): Outcome {
  let file: string
  try {
    file = alias.target.of(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(request, 'error', 'AH02825', `Can't evaluate alias expression: ${error.message}`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
  if (config.preservePath === true) {
    const length = matchUrlPrefix(request.uri, alias.prefix)
    if (length > 0) {
      request.contextPrefix = alias.prefix
      request.contextDocumentRoot = file
      file += request.uri.slice(length)
    }
  }
  return served(request, absolutePath(alias.serverRoot, file), alias)
}

function served(request: Request, file: string, rule: Pick<AliasRule, 'handler' | 'place'>): Outcome {
  if (request.tracer !== null) traceDirective(request, rule.place.name, rule.place, `maps ${request.uri} to ${file}`)
  if (rule.handler !== null) {
    request.handler = rule.handler
    // Informs CGI handlers that ExecCGI is not required.
    request.notes.set('alias-forced-type', rule.handler)
  }
  request.filename = file
  return OK
}
