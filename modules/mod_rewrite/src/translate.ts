import { DECLINED, HTTP_BAD_REQUEST, type MaybePromise, OK, type Outcome, type Request } from '@gatewright/api'
import { schemeOf } from './absolute-url.ts'
import { REDUCED_NOTE } from './apply-rule.ts'
import { applyRules, PASS_THROUGH, PROXY, type RulesResult } from './apply-rules.ts'
import { type RewriteConfig, type ServerRules, serverRules } from './config.ts'
import type { Engine } from './engine.ts'
import { redirectToUrl } from './location.ts'
import { ANY_URI, LEGACY_PREFIX, UNSAFE_PREFIX } from './options.ts'
import { isFileSystemPath } from './path-prefix.ts'
import type { Run } from './run.ts'

/**
 * The translate phase: applies the rules of the server to the URL's path, before any other module maps it.
 */
export function translate(request: Request, config: Readonly<RewriteConfig>, engine: Engine): MaybePromise<Outcome> {
  // Before the path was decoded, mod_proxy has mapped it.
  if (config.engine !== true || request.proxyRequest === 'reverse') return DECLINED
  const own = serverRules(config, request.server)
  if (own === null || own.server !== request.server) return DECLINED
  const trace = engine.traceOf(request)
  if (engine.hasEnded(request)) {
    trace?.write(8, null, 'Declining, no further rewriting due to END flag')
    return DECLINED
  }
  if (((config.options ?? 0) & ANY_URI) === 0 && (request.unparsedUri === '*' || !request.uri.startsWith('/'))) {
    trace?.write(
      8,
      null,
      `Declining, request-URI '${request.uri}' is not a URL-path. Consult the manual entry for the RewriteOptions directive for options and caveats about matching other strings.`,
    )
    return DECLINED
  }
  nameScript(request)
  const query = request.args
  request.filename = request.uri
  trace?.write(2, null, `init rewrite engine with requested uri ${request.filename}`)
  const run = engine.run({ request, directory: null, base: null, maps: own.maps, trace })
  const result = applyRules(run, own.rules, engine)
  if (result instanceof Promise) return result.then((settled) => conclude(run, settled, query, own, engine))
  return conclude(run, result, query, own, engine)
}

/** SCRIPT_URL and SCRIPT_URI: the URL before any rule was applied. Redirects and sub-requests keep it. */
function nameScript(request: Request): void {
  const { env, main } = request
  const url = (main === null ? env.get('REDIRECT_SCRIPT_URL') : main.env.get('SCRIPT_URL')) ?? request.uri
  env.set('SCRIPT_URL', url)
  env.set('SCRIPT_URI', request.absoluteUrl(url))
}

function conclude(run: Run, result: RulesResult, query: string | null, own: ServerRules, engine: Engine): Outcome {
  const { request, trace } = run
  if (result === 'unchanged') {
    trace?.write(1, null, `pass through ${request.filename}`)
    return DECLINED
  }
  const scheme = schemeOf(request.filename)
  // In a redirect, characters that are unsafe in a query are escaped.
  const refused = scheme !== null && result !== 'changedUnescaped' ? undefined : engine.refuseQuery(request, 'AH10410')
  if (refused !== undefined) return refused
  if (result === 'status') return engine.answer(request)
  if (scheme !== null) return redirectToUrl(run, scheme, result === 'changed' ? 'escape' : 'asItIs', query)
  if (request.filename.startsWith(PROXY)) return engine.fetch(run, result === 'changed', 'AH00669')
  if (request.filename.startsWith(PASS_THROUGH)) {
    request.uri = request.filename.slice(PASS_THROUGH.length)
    return DECLINED
  }
  return mapToFile(run, own)
}

function mapToFile(run: Run, own: ServerRules): Outcome {
  const { request, trace } = run
  trace?.write(2, null, `local path result: ${request.filename}`)
  if (!request.filename.startsWith('/')) return HTTP_BAD_REQUEST
  const options = own.options ?? 0
  const reduced = request.notes.has(REDUCED_NOTE) && (options & LEGACY_PREFIX) === 0
  if (!isFileSystemPath(run, request.filename, (options & UNSAFE_PREFIX) !== 0) || reduced) {
    const { documentRoot } = request.server
    request.filename = `${documentRoot === '/' ? '' : documentRoot}${request.filename}`.replace(/\/{2,}/g, '/')
    trace?.write(2, null, `prefixed with document_root to ${request.filename}`)
  }
  trace?.write(1, null, `go-ahead with ${request.filename} [OK]`)
  return OK
}
