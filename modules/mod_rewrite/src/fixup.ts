import { DECLINED, HTTP_BAD_REQUEST, HTTP_FORBIDDEN, type MaybePromise, OK, type Outcome, type Request } from '@gatewright/api'
import { schemeOf } from './absolute-url.ts'
import { applyRules, PASS_THROUGH, PROXY, type RulesResult } from './apply-rules.ts'
import { type RewriteConfig, serverRules } from './config.ts'
import type { Engine } from './engine.ts'
import { redirectToUrl } from './location.ts'
import type { RewriteMap } from './maps/rewrite-map.ts'
import { IGNORE_CONTEXT, NO_SLASH } from './options.ts'
import { replacePrefix } from './path-prefix.ts'
import { REDIRECT, REDIRECT_HANDLER } from './redirect-handler.ts'
import type { Run } from './run.ts'

/**
 * Rules of directories and .htaccess files. They apply to requests below the directory, after access control.
 */
export function rewriteInDirectory(request: Request, config: Readonly<RewriteConfig>, engine: Engine): MaybePromise<Outcome> {
  const { directory } = config
  if (directory === null || config.engine !== true) return DECLINED
  // The folder itself, requested without its slash: mod_dir redirects the client.
  const withoutSlash = request.filename.length === directory.length - 1 && directory.startsWith(request.filename)
  if (withoutSlash && ((config.options ?? 0) & NO_SLASH) === 0) return DECLINED
  const trace = engine.traceOf(request)
  if (engine.hasEnded(request)) {
    trace?.write(8, directory, 'Declining, no further rewriting due to END flag')
    return DECLINED
  }
  if (!engine.followsLinks(request)) {
    const message = `Options FollowSymLinks and SymLinksIfOwnerMatch are both off, so the RewriteRule directive is also forbidden due to its similar ability to circumvent directory restrictions : ${request.filename}`
    engine.log.write(request, 'error', 'AH00670', message)
    return HTTP_FORBIDDEN
  }
  const before: Before = { filename: request.filename, query: request.args }
  const maps = serverRules(config, request.server)?.maps ?? NO_MAPS
  const run = engine.run({ request, directory, base: config.base ?? null, maps, trace })
  const result = applyRules(run, config.rules, engine)
  if (result instanceof Promise) return result.then((settled) => conclude(run, settled, before, config, engine))
  return conclude(run, result, before, config, engine)
}

const NO_MAPS: ReadonlyMap<string, RewriteMap> = new Map()

/** State of the request before the rules are applied. */
interface Before {
  readonly filename: string
  readonly query: string | null
}

function conclude(run: Run, result: RulesResult, before: Before, config: Readonly<RewriteConfig>, engine: Engine): Outcome {
  const { request, trace, directory, base } = run
  if (result === 'unchanged') {
    trace?.write(1, directory, `pass through ${request.filename}`)
    request.filename = before.filename
    return DECLINED
  }
  const scheme = schemeOf(request.filename)
  // In a redirect, characters that are unsafe in a query are escaped.
  const refused = scheme !== null && result !== 'changedUnescaped' ? undefined : engine.refuseQuery(request, 'AH10411')
  if (refused !== undefined) return refused
  if (result === 'status') return engine.answer(request)
  if (scheme !== null) {
    if (base !== null) replaceInUrl(run, scheme.length, base)
    return redirectToUrl(run, scheme, result === 'changed' ? 'escape' : 'asItIs', before.query)
  }
  if (request.filename.startsWith(PROXY)) return engine.fetch(run, result === 'changed', 'AH10160')
  // PT has no effect in this phase: translation is complete.
  if (request.filename.startsWith(PASS_THROUGH)) request.filename = request.filename.slice(PASS_THROUGH.length)
  if (!request.filename.startsWith('/')) return HTTP_BAD_REQUEST
  if (request.filename === before.filename) {
    trace?.write(1, directory, `initial URL equal rewritten URL: ${request.filename} [IGNORING REWRITE]`)
    return OK
  }
  redirectInside(run, config)
  return OK
}

/** Replaces the folder's path, to which a relative target was appended, with the URL of RewriteBase. */
function replaceInUrl(run: Run, schemeLength: number, base: string): void {
  const { request, trace, directory } = run
  const slash = request.filename.indexOf('/', schemeLength)
  const path = slash < 0 ? '' : request.filename.slice(slash + 1)
  if (path === '' || directory === null) return
  trace?.write(2, directory, `trying to replace prefix ${directory} with ${base}`)
  const front = directory.startsWith('/') ? directory.slice(1) : directory
  request.filename = request.filename.slice(0, slash + 1) + replacePrefix(run, path, front, base.slice(1))
}

/** Converts the path back to a URL, and lets the request be answered by an internal redirect to it. */
function redirectInside(run: Run, config: Readonly<RewriteConfig>): void {
  const { request, trace, directory, base } = run
  const path = request.filename
  if (base !== null && directory !== null) {
    trace?.write(2, directory, `trying to replace prefix ${directory} with ${base}`)
    request.filename = replacePrefix(run, path, directory, base)
  } else {
    const { documentRoot } = request.server
    const root = documentRoot.endsWith('/') ? documentRoot.slice(0, -1) : documentRoot
    if (path.startsWith(`${root}/`)) {
      trace?.write(2, directory, `strip document_root prefix: ${path} -> ${path.slice(root.length)}`)
      request.filename = path.slice(root.length)
    }
  }
  if (request.filename === path && ((config.options ?? 0) & IGNORE_CONTEXT) === 0) {
    const root = request.contextDocumentRoot === '' ? request.server.documentRoot : request.contextDocumentRoot
    trace?.write(2, directory, `trying to replace context docroot ${root} with context prefix ${request.contextPrefix}`)
    request.filename = replacePrefix(run, path, root, request.contextPrefix)
  }
  // The response also depends on the header fields that the conditions read.
  request.notes.set('redirect-keeps-vary', '')
  trace?.write(1, directory, `internal redirect with ${request.filename} [INTERNAL REDIRECT]`)
  request.filename = REDIRECT + request.filename
  request.handler = REDIRECT_HANDLER
}
