import type { Request } from '@gatewright/api'
import { schemeOf } from './absolute-url.ts'
import type { RewriteRule } from './rule.ts'
import type { Run } from './run.ts'

/** Moves the query of a substitution from the file name to the request's query. */
export function takeQuery(run: Run, request: Request, { query }: RewriteRule): void {
  const scheme = schemeOf(request.filename)
  if (scheme !== null && !scheme.hasQuery) {
    request.args = null
    return
  }
  if (query.discarded) {
    request.args = null
    run.trace?.write(2, null, `discarding query string${query.read ? '' : ', no parse from substitution'}`)
  }
  if (!query.read) return
  const from = scheme === null ? 0 : scheme.length
  const mark = query.last ? request.filename.lastIndexOf('?') : request.filename.indexOf('?', from)
  if (mark < from) return
  const whole = request.filename
  const written = whole.slice(mark + 1)
  request.filename = whole.slice(0, mark)
  request.args = query.appended ? appendQuery(written, request.args) : withoutEnd(written)
  run.trace?.write(3, null, `split uri=${whole} -> uri=${request.filename}, args=${request.args ?? '<none>'}`)
}

function appendQuery(written: string, before: string | null): string | null {
  if (before === null) return written === '' ? null : written
  return withoutEnd(written === '' ? before : `${written}&${before}`)
}

/** Removes one `&` at the end; an empty query becomes null. */
function withoutEnd(query: string): string | null {
  if (query === '') return null
  return query.endsWith('&') ? query.slice(0, -1) : query
}
