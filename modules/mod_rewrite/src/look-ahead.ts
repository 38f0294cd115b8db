import type { Request } from '@gatewright/api'
import type { Run } from './run.ts'

/** A request that was looked ahead to. */
export interface Ahead {
  readonly path: string
  readonly sub: Request
}

/** A sub-request for what it was made for itself would look ahead for ever. */
export function mayLookAhead(request: Request): boolean {
  return request.main === null || request.main.uri !== request.uri
}

/** `%{LA-U:...}`: what the URL that patterns see leads to. */
export function lookAheadUri(run: Run, request: Request): Ahead | null {
  if (!mayLookAhead(request)) return null
  const path = pathOf(run, run.base)
  const sub = run.ask(run.requests, `uri ${path}`, () => request.lookupUri(path))
  return sub === null ? null : { path, sub }
}

/** `%{LA-F:...}`: the same for the file that it stands for so far. */
export function lookAheadFile(run: Run, request: Request): Ahead | null {
  if (!mayLookAhead(request)) return null
  const path = pathOf(run, null)
  const sub = run.ask(run.requests, `file ${path}`, () => request.lookupFile(path))
  return sub === null ? null : { path, sub }
}

/** What patterns see in a directory has lost its front. */
function pathOf({ uri, directory }: Run, base: string | null): string {
  return directory === null || uri.startsWith('/') ? uri : `${base ?? directory}${uri}`
}
