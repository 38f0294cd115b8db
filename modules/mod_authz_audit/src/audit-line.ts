import type { Request } from '@gatewright/api'
import { asciiJson } from '@gatewright/api/text'
import type { DecisionNotes } from '@gatewright/api/tracing'

/** What became of a request: `failed` if it could not be decided. */
export type Decision = 'granted' | 'refused' | 'failed'

/** In bytes; a longer path is cut. */
const LONGEST_PATH = 2_048

/** What the status and the noted rules say. */
export function decisionOf({ status, refusedBy }: Request, { granted }: DecisionNotes): Decision {
  if (status >= 500 && granted !== true) return 'failed'
  if (refusedBy !== '' || status === 401 || status === 403 || status === 407 || granted === false) return 'refused'
  return 'granted'
}

/** One line of JSON in ASCII. The query is left out, because it may contain secrets. */
export function auditLine(request: Request, notes: DecisionNotes, decision: Decision, now: number): string {
  const { method, uri, server, hostname, status, useragentAddress, connection, user, authType, refusedBy, env, headersIn } =
    request
  const traced = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}$/.exec(headersIn.get('traceparent') ?? '')?.[1]
  const line = {
    time: new Date(now).toISOString(),
    decision,
    status,
    method,
    host: hostname === '' ? server.serverName : hostname,
    path: uri.slice(0, LONGEST_PATH),
    client: useragentAddress,
    peer: connection.remoteAddress === useragentAddress ? undefined : connection.remoteAddress,
    user,
    authType: authType ?? undefined,
    refusedBy: refusedBy === '' ? undefined : refusedBy,
    id: env.get('UNIQUE_ID'),
    trace: traced,
    rules: notes.rules,
  }
  return `${asciiJson(line)}\n`
}
