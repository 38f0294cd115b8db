import { loadavg } from 'node:os'
import { addCounters, NO_COUNTERS, type ServerStatus, type WorkerStatus, type WorkerTotals } from '@gatewright/api/status'
import type { ServerSums, Statuses } from '../roles/messages.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A worker, as seen by the collector. */
export type StatusSource = Pick<WorkerProcess, 'slot' | 'generation' | 'state' | 'status' | 'ask' | 'answer'>

/**
 * Time limit for all workers together to report their figures (ms); for a worker that is late, its latest
 * known figures are used.
 */
const PATIENCE = 1_000

interface Round {
  readonly missing: Set<StatusSource>
  readonly finish: () => void
}

/**
 * Collects the figures of all workers for a worker that requests them, and keeps the sums of those that have
 * ended.
 */
export class StatusCollector {
  readonly #rounds = new Map<number, Round>()
  /** Sums of ended workers by slot. */
  readonly #ended = new Map<number, WorkerTotals>()
  readonly #reloads = { done: 0, refused: 0 }
  #deaths = 0
  #lastRound = 0
  /** What former supervisors of this server have counted. */
  #before: ServerSums = { startedAt: Date.now(), totals: NO_TOTALS, reloads: { done: 0, refused: 0 }, workerDeaths: 0 }

  /** A configuration was reloaded, or could not be used. */
  reloaded(outcome: keyof ServerStatus['reloads']): void {
    this.#reloads[outcome]++
  }

  /** A worker ended unexpectedly. */
  died(): void {
    this.#deaths++
  }

  /**
   * Continues the sums of the former supervisor, also again while its workers complete their requests. Sums of a version that
   * counts other things are ignored.
   */
  continueFrom(sums: ServerSums): void {
    if (isComplete(sums.totals)) this.#before = sums
  }

  /** What was counted until now. */
  sums(workers: readonly StatusSource[]): ServerSums {
    const { startedAt, former, reloads, workerDeaths, workers: reports } = this.#statuses(0, workers)
    return { startedAt, totals: reports.reduce<WorkerTotals>(addTotals, former), reloads, workerDeaths }
  }

  /** Answers request `id` of a worker when all workers have reported their figures. */
  collect(asker: StatusSource, id: number, generation: number, workers: readonly StatusSource[]): void {
    const round = ++this.#lastRound
    const finish = (): void => {
      clearTimeout(timer)
      this.#rounds.delete(round)
      asker.answer({ type: 'statuses', id, statuses: this.#statuses(generation, workers) })
    }
    const timer = setTimeout(finish, PATIENCE)
    // A worker that loads its configuration has no figures yet, and does not respond before the load is
    // complete.
    const asked = workers.filter(({ state }) => state !== 'loading')
    this.#rounds.set(round, { missing: new Set(asked), finish })
    for (const worker of asked) worker.ask(round)
  }

  /** A worker has reported its figures, which it keeps. */
  reported(worker: StatusSource, roundNumber: number): void {
    this.#settle(this.#rounds.get(roundNumber), worker)
  }

  /** A worker has ended: its figures are added to its slot. */
  ended(worker: StatusSource): void {
    if (worker.status !== null) this.#ended.set(worker.slot, addTotals(worker.status, this.#ended.get(worker.slot) ?? NO_TOTALS))
    for (const round of this.#rounds.values()) this.#settle(round, worker)
  }

  #settle(round: Round | undefined, worker: StatusSource): void {
    if (round?.missing.delete(worker) && round.missing.size === 0) round.finish()
  }

  #statuses(generation: number, workers: readonly StatusSource[]): Statuses {
    const reports: WorkerStatus[] = []
    const credited = new Set<number>()
    // The newest worker of a slot includes the sums of its predecessors.
    for (const { slot, state, status } of [...workers].sort((a, b) => b.generation - a.generation)) {
      // If a worker has ended since the request, its sums are in its slot.
      if (status === null || state === 'gone') continue
      reports.push(credited.has(slot) ? status : { ...status, ...addTotals(status, this.#ended.get(slot) ?? NO_TOTALS) })
      credited.add(slot)
    }
    const [one = 0, five = 0, fifteen = 0] = loadavg()
    const uncredited = [...this.#ended].filter(([slot]) => !credited.has(slot))
    return {
      startedAt: this.#before.startedAt,
      generation,
      load: [one, five, fifteen],
      workers: reports.sort((a, b) => a.slot - b.slot),
      // Otherwise the sums would be smaller until the slot has a worker again.
      former: uncredited.reduce((sum, [, totals]) => addTotals(sum, totals), this.#before.totals),
      reloads: {
        done: this.#before.reloads.done + this.#reloads.done,
        refused: this.#before.reloads.refused + this.#reloads.refused,
      },
      workerDeaths: this.#before.workerDeaths + this.#deaths,
    }
  }
}

/** Whether all counters are there: another version may have counted other things. */
function isComplete({ counters, ...numbers }: WorkerTotals): boolean {
  const { counters: known, ...wanted } = NO_TOTALS
  return hasKeysOf(wanted, numbers) && hasKeysOf(known, counters) && hasKeysOf(known.passwords, counters.passwords)
}

function hasKeysOf(wanted: object, found: object): boolean {
  return Object.keys(wanted).every((key) => Object.hasOwn(found, key))
}

const NO_TOTALS: WorkerTotals = { accesses: 0, bytes: 0, duration: 0, cpuUser: 0, cpuSystem: 0, counters: NO_COUNTERS }

export function addTotals(a: WorkerTotals, b: WorkerTotals): WorkerTotals {
  return {
    accesses: a.accesses + b.accesses,
    bytes: a.bytes + b.bytes,
    duration: a.duration + b.duration,
    cpuUser: a.cpuUser + b.cpuUser,
    cpuSystem: a.cpuSystem + b.cpuSystem,
    counters: addCounters(a.counters, b.counters),
  }
}
