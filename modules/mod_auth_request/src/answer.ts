import {
  HTTP_FORBIDDEN,
  HTTP_UNAUTHORIZED,
  httpStatus,
  isExpressionError,
  type MaybePromise,
  type ModuleLog,
  type Outcome,
  type Request,
} from '@gatewright/api'
import type { DecisionNotes } from '@gatewright/api/tracing'
import type { AuthRequestConfig, GroupsField, ReasonField } from './config.ts'

/** Fields of a refusal that its client needs. */
const PASSED_ON: readonly string[] = ['WWW-Authenticate', 'Location', 'Retry-After', 'Set-Cookie']

/** Copies the fields that belong to the original response: those of a session, of a challenge, of a redirect. */
export function passOn(request: Request, decided: Request): void {
  const { errHeadersOut, headersOut } = decided
  if (errHeadersOut.size === 0 && headersOut.size === 0) return
  for (const name of PASSED_ON) {
    for (const value of [...errHeadersOut.getAll(name), ...headersOut.getAll(name)]) request.errHeadersOut.add(name, value)
  }
}

/** The status of a refusal. nginx knows 401 and 403 only: for it, a redirect is a 401 with a Location. */
export function refusalFor(status: number, { isNginx }: { readonly isNginx: boolean }): Outcome {
  if (status < 300 || status > 599 || status === 304) return HTTP_FORBIDDEN
  if (!isNginx || status >= 500) return httpStatus(status)
  return status < 400 || status === 401 ? HTTP_UNAUTHORIZED : HTTP_FORBIDDEN
}

/** Adds the fields about the user. @returns false if one cannot be computed, which was logged */
export function describeUser(
  request: Request,
  decided: Request,
  { sets = [], groups = [] }: Readonly<AuthRequestConfig>,
  log: ModuleLog,
): MaybePromise<boolean> {
  for (const { name, value, place } of sets) {
    const text = textFor(() => value.of(decided))
    if (typeof text !== 'string') {
      log.write(request, 'error', '', `AuthRequestSet ${name} (${place.file}:${place.line}) failed: ${text.message}`)
      return false
    }
    if (text !== '') request.errHeadersOut.set(name, visible(text))
  }
  return groups.length === 0 ? true : addGroups(request, decided, groups)
}

async function addGroups(request: Request, decided: Request, groups: readonly GroupsField[]): Promise<true> {
  for (const { name, groups: candidates } of groups) {
    const found: string[] = []
    for (const group of candidates) if ((await group.check(decided)) === 'granted') found.push(group.name)
    if (found.length > 0) request.errHeadersOut.set(name, found.join(','))
  }
  return true
}

/** Adds the rules that decided for those who may see them. */
export function giveReason(request: Request, decided: Request, reason: ReasonField, notes: DecisionNotes, log: ModuleLog): void {
  if (reason.who !== null) {
    const { who } = reason
    const may = textFor(() => (who.test(decided) ? 'yes' : ''))
    if (typeof may !== 'string') log.write(request, 'error', '', `AuthRequestReason failed: ${may.message}`)
    if (may !== 'yes') return
  }
  const rules = notes.rules.map(({ rule, file, line, verdict }) => `${verdict}: ${rule} (${file}:${line})`)
  request.errHeadersOut.set(reason.name, visible(rules.length === 0 ? 'no rule was asked' : rules.slice(0, 10).join('; ')))
}

function textFor(compute: () => string): string | Error {
  try {
    return compute()
  } catch (error) {
    if (!isExpressionError(error)) throw error
    return error
  }
}

/** Nothing that a client chose may end a field. */
function visible(text: string): string {
  return text.replace(/[\0-\x1f\x7f]/g, ' ').trim()
}
