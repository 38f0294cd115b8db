import type { Request } from '@gatewright/api'
import { asciiJson } from '@gatewright/api/text'
import type { DecisionNotes } from '@gatewright/api/tracing'
import { spanAttributes } from './span-attributes.ts'
import { readTraceparent } from './trace-context.ts'

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

/**
 * One line of JSON in ASCII. The query is left out, because it may contain secrets.
 * @param weight for how many decisions the line stands
 */
export function auditLine(request: Request, notes: DecisionNotes, decision: Decision, weight: number, now: number): string {
  const { method, uri, server, hostname, status, useragentAddress, connection, user, authType, refusedBy, env, headersIn } =
    request
  const trace = readTraceparent(headersIn.get('traceparent'))
  const host = hostname === '' ? server.serverName : hostname
  const path = uri.slice(0, LONGEST_PATH)
  const line = {
    time: new Date(now).toISOString(),
    decision,
    status,
    method,
    host,
    path,
    client: useragentAddress,
    peer: connection.remoteAddress === useragentAddress ? undefined : connection.remoteAddress,
    user,
    authType: authType ?? undefined,
    refusedBy: refusedBy === '' ? undefined : refusedBy,
    sample: weight === 1 ? undefined : weight,
    id: env.get('UNIQUE_ID'),
    rules: notes.rules,
    ...(trace === null ? {} : { ...trace, attributes: spanAttributes(request, host, path) }),
  }
  return `${asciiJson(line)}\n`
}
