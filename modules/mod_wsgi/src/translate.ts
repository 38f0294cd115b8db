import { DECLINED, OK, type Outcome, type Request, type Slot } from '@gatewright/api'
import { fillTemplate, matchUrlPrefix } from '@gatewright/api/text'
import { traceDirective } from '@gatewright/api/tracing'
import type { AliasOptions, ScriptAlias } from './config.ts'

/** Maps a URL to a script, if an alias says so. */
export function translate(request: Request, aliases: readonly ScriptAlias[], aliasOf: Slot<Request, AliasOptions>): Outcome {
  const { uri } = request
  if (uri !== '' && !uri.startsWith('/')) return DECLINED
  for (const { match, options, serverRoot, place } of aliases) {
    const found = match.kind === 'prefix' ? byPrefix(uri, match) : byPattern(uri, match)
    if (found === null) continue
    const file = found.startsWith('/') ? found : `${serverRoot}/${found}`
    if (request.tracer !== null) traceDirective(request, place.name, place, `maps ${uri} to ${file}`)
    request.filename = file
    request.handler = 'wsgi-script'
    // Informs the handler that ExecCGI is not required.
    request.notes.set('alias-forced-type', 'wsgi-script')
    aliasOf.set(request, options)
    return OK
  }
  return DECLINED
}

function byPrefix(uri: string, { prefix, target }: { readonly prefix: string; readonly target: string }): string | null {
  // As in mod_wsgi, `/` is the mount point of an application, not a folder.
  if (prefix === '/') return target + uri
  const length = matchUrlPrefix(uri, prefix)
  return length === 0 ? null : target + uri.slice(length)
}

/** As in mod_wsgi, and unlike AliasMatch, what follows the match is appended: it is the path information. */
function byPattern(uri: string, { pattern, target }: Extract<ScriptAlias['match'], { kind: 'pattern' }>): string | null {
  const found = pattern.search(uri)
  if (found === null) return null
  return fillTemplate(target, found.groups) + uri.slice(found.index + found.groups[0].length)
}
