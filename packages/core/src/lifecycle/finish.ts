import { performance } from 'node:perf_hooks'
import { OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { StatusKeeper } from '../status/status-keeper.ts'
import type { HookRunners } from './hook-runners.ts'
import { type Phase, phase, type Verdict } from './phase.ts'

/** Reports that a cleanup failed. */
export type CleanupFailed = (request: RequestRecord, error: unknown) => void

/**
 * The phases after the last byte of the client's request was sent or the client has disconnected. All of them
 * are synchronous.
 */
export function finishPhases(hooks: HookRunners, status: StatusKeeper, failed: CleanupFailed): readonly Phase[] {
  return [
    hooks.observerPhase('logTransaction', { verdict: goOn }),
    phase('count', (request) => count(request, status)),
    phase('cleanUp', (request) => cleanUp(request, failed)),
  ]
}

/** A failed function is logged; the remaining functions and phases still run. */
const goOn: Verdict = () => OK

function count(request: RequestRecord, status: StatusKeeper): Outcome {
  const { answer, connection } = request
  connection.keepalives++
  const sent = answer.request ?? request
  status.end(request, sent.status, sent.bodyBytesSent, Math.max(0, (answer.endedAtUs - request.receivedAtUs) / 1000))
  return OK
}

function cleanUp(request: RequestRecord, failed: CleanupFailed): Outcome {
  request.answer.cleanUp((error) => failed(request, error))
  return OK
}

/** Milliseconds and microseconds are those of the process's monotonic clock. */
export function nowUs(): number {
  return performance.now() * 1000
}
