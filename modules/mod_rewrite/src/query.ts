import type { Request } from '@gatewright/api'
import { schemeOf } from './absolute-url.ts'
import type { RewriteRule } from './rule.ts'
import type { Run } from './run.ts'

/** Moves the query of a substitution, which is in the file name, to where queries are. */
export function takeQuery(run: Run, request: Request, { query, queryLast }: RewriteRule): void {
  const scheme = schemeOf(request.filename)
  if (scheme !== null && !scheme.hasQuery) {
    request.args = null
    return
  }
  if (query === 'none' || query === 'discard') {
    request.args = null
    run.trace?.write(2, null, `discarding query string${query === 'none' ? ', no parse from substitution' : ''}`)
    if (query === 'none') return
  }
  const from = scheme === null ? 0 : scheme.length
  const mark = queryLast ? request.filename.lastIndexOf('?') : request.filename.indexOf('?', from)
  if (mark < from) return
  const whole = request.filename
  const written = whole.slice(mark + 1)
  request.filename = whole.slice(0, mark)
  request.args =
    query === 'append' && request.args === null ? written || null : joinQuery(written, query === 'append' ? request.args : null)
  run.trace?.write(3, null, `split uri=${whole} -> uri=${request.filename}, args=${request.args ?? '<none>'}`)
}

/** One `&` at the end of what was joined says nothing; without anything else there is no query. */
function joinQuery(written: string, before: string | null): string | null {
  const joined = before === null ? written : written === '' ? before : `${written}&${before}`
  const query = joined.endsWith('&') ? joined.slice(0, -1) : joined
  return query === '' ? null : query
}
