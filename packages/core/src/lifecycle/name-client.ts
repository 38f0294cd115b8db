import { type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import { type Phase, phase } from './phase.ts'

/** Looks up the names that the configuration of a request requires. */
export interface ClientNames {
  /** True if a line of the configuration requires the name of the server's own address. */
  readonly needsLocalNames: boolean
  /** @returns a promise only if a name server must be queried */
  lookUp(request: RequestRecord): void | Promise<void>
}

/**
 * A phase that looks up the client's name for the functions and conditions below it. One follows each time that a
 * request gets another configuration, because HostnameLookups may be set in it.
 */
export function nameClientPhase(name: string, names: ClientNames): Phase {
  return phase(name, (request) => lookUp(request, names), { when: names.needsLocalNames ? always : needsClientName })
}

/** The same for logs, which also show the client's name if the request has failed. */
export function nameClientForLogsPhase(name: string, names: ClientNames): Phase {
  return phase(name, (request) => lookUp(request, names), { on: 'both' })
}

function always(): boolean {
  return true
}

function needsClientName({ config }: RequestRecord): boolean {
  return (config.core.hostnameLookups ?? 'off') !== 'off'
}

function lookUp(request: RequestRecord, names: ClientNames): MaybePromise<Outcome> {
  const waiting = names.lookUp(request)
  return waiting === undefined ? OK : waiting.then(() => OK)
}
