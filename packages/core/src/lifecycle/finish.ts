import { performance } from 'node:perf_hooks'
import { OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { StatusKeeper } from '../status/status-keeper.ts'
import type { HookRunners } from './hook-runners.ts'
import { type Phase, phase } from './phase.ts'

/** Reports that a cleanup failed. */
export type CleanupFailed = (request: RequestRecord, error: unknown) => void

/**
 * The phases after the last byte of a response was sent or the client has disconnected. All of them are
 * synchronous, and each runs whatever happened in those before it.
 */
export function finishPhases(hooks: HookRunners, status: StatusKeeper, failed: CleanupFailed): readonly Phase[] {
  return [
    hooks.observerPhase('logTransaction'),
    phase('count', (request) => count(request, status)),
    phase('cleanUp', (request) => cleanUp(request, failed)),
  ]
}

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

/** Ends requests, once each: runs the last rows of the table. */
export class RequestEnd {
  readonly #rows: readonly Phase[]

  /** @param rows those of `finishPhases` */
  constructor(rows: readonly Phase[]) {
    this.#rows = rows
  }

  /** Ends the response after its last byte was sent or the client has disconnected. */
  finish({ original }: RequestRecord): void {
    // The monotonic clock of the process, in microseconds.
    if (!original.answer.end(performance.now() * 1000)) return
    for (const { run } of this.#rows) void run(original, OK)
  }
}
