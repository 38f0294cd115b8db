import { performance } from 'node:perf_hooks'
import type { ResponseEnd } from '../model/request-host.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { ServingTally } from '../status/serving-tally.ts'
import type { HookRows } from './hook-rows.ts'
import type { FinalPhase } from './phase.ts'

/** Reports that a cleanup failed. */
export type CleanupFailed = (request: RequestRecord, error: unknown) => void

/**
 * The phases after the last byte of a response was sent or the client has disconnected. All of them are
 * synchronous, and each runs whatever happened in those before it.
 */
export function finishPhases(hooks: HookRows, tally: ServingTally, failed: CleanupFailed): readonly FinalPhase[] {
  return [
    hooks.finalPhase('logTransaction'),
    { name: 'count', run: (request) => count(request, tally) },
    { name: 'cleanUp', run: (request) => request.answer.cleanUp((error) => failed(request, error)) },
  ]
}

function count(request: RequestRecord, tally: ServingTally): void {
  const { answer, connection, place } = request
  const { status, bodyBytesSent } = answer.request ?? request
  const durationMs = Math.max(0, (answer.endedAtUs - request.receivedAtUs) / 1000)
  connection.keepalives++
  connection.bytes += bodyBytesSent
  tally.answered(request, status, durationMs, bodyBytesSent)
  request.place = null
  place?.release(request, bodyBytesSent, durationMs)
}

/** Ends requests, once each: runs the last rows of the table. */
export class RequestEnd implements ResponseEnd {
  readonly #rows: readonly FinalPhase[]

  /** @param rows those of `finishPhases` */
  constructor(rows: readonly FinalPhase[]) {
    this.#rows = rows
  }

  /** Ends the response after its last byte was sent or the client has disconnected. */
  finish({ original }: RequestRecord): void {
    // The monotonic clock of the process, in microseconds.
    if (!original.answer.end(performance.now() * 1000)) return
    for (const { run } of this.#rows) run(original)
  }
}
