import type { Request } from '@gatewright/api'
import type { Run } from './run.ts'

/** The sub-request of a look-ahead. */
export interface Ahead {
  readonly path: string
  readonly sub: Request
}

/** False in a sub-request for its main request's own URI, which would look ahead forever. */
export function mayLookAhead(request: Request): boolean {
  return request.main === null || request.main.uri !== request.uri
}

/** `%{LA-U:...}`: the sub-request for the URL that patterns are applied to. */
export function lookAheadUri(run: Run, request: Request): Ahead | null {
  if (!mayLookAhead(request)) return null
  const path = pathOf(run, run.base)
  const sub = run.ask(run.requests, `uri ${path}`, () => request.lookupUri(path))
  return sub === null ? null : { path, sub }
}

/**
 * `%{LA-F:...}`: the sub-request for the corresponding file. In a section without a folder, such as `<If>`,
 * httpd looks the path up as a URL.
 */
export function lookAheadFile(run: Run, request: Request): Ahead | null {
  if (run.directory !== null && run.uri.startsWith('/')) return lookAheadUri(run, request)
  if (!mayLookAhead(request)) return null
  const path = pathOf(run, null)
  const sub = run.ask(run.requests, `file ${path}`, () => request.lookupFile(path))
  return sub === null ? null : { path, sub }
}

/** The complete path. In a directory, patterns are applied to a path without the directory. */
function pathOf({ uri, directory }: Run, base: string | null): string {
  return directory === null || uri.startsWith('/') ? uri : `${base ?? directory}${uri}`
}
