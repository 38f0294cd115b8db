import {
  COUNTED_METHODS,
  DURATION_BOUNDS,
  type RefusalCount,
  type ServingCounters,
  STATUS_CLASSES,
  type WorkerTotals,
} from '@gatewright/api/status'
import type { RequestRecord } from '../model/request-record.ts'
import { type CountedHost, HostTally } from './host-tally.ts'

/** The counters that the tally itself does not count. */
export type CountedElsewhere = Pick<ServingCounters, 'passwords' | 'lostLogLines' | 'loopActive'>

/** The counted properties of a request. */
export type TalliedRequest = Pick<
  RequestRecord,
  'method' | 'accessGranted' | 'refusalStatus' | 'refusedBy' | 'errorModule' | 'errorCode'
> & { readonly server: CountedHost }

/**
 * Maximum number of distinct kinds of denials. Their names come from the configuration, but .htaccess files
 * are configuration, too.
 */
const MOST_KINDS = 100

/** Counts what one process serves. Counting a response that was not refused allocates nothing. */
export class ServingTally {
  readonly #responses = new Float64Array(COUNTED_METHODS.length * STATUS_CLASSES.length)
  readonly #durations = new Float64Array(DURATION_BOUNDS.length + 1)
  readonly #refusals = new Map<string, { readonly kind: Omit<RefusalCount, 'count'>; count: number }>()
  readonly #hosts = new HostTally()
  #accesses = 0
  #bytes = 0
  #durationMs = 0
  #granted = 0
  #connections = 0
  #refusedConnections = 0
  #displacedConnections = 0

  connected(): void {
    this.#connections++
  }

  /** A connection was closed because no descriptor was free: either the new one or one displaced by it. */
  crowdedOut(which: 'newcomer' | 'other'): void {
    if (which === 'newcomer') this.#refusedConnections++
    else this.#displacedConnections++
  }

  /**
   * @param request as the client sent it
   * @param status of the response
   * @param durationMs from the request line to the end of the response
   * @param bytes of the response's body
   */
  answered(request: TalliedRequest, status: number, durationMs: number, bytes: number): void {
    this.#accesses++
    this.#bytes += bytes
    this.#durationMs += durationMs
    const statusClass = Math.min(STATUS_CLASSES.length, Math.max(1, Math.floor(status / 100))) - 1
    this.#responses[(METHODS.get(request.method) ?? OTHER) * STATUS_CLASSES.length + statusClass]++
    this.#durations[bucketOf(durationMs / 1000)]++
    this.#hosts.answered(request.server, statusClass, bytes)
    if (request.accessGranted) this.#granted++
    else if (request.refusalStatus !== 0) this.#refused(request)
  }

  /** Of all responses; the duration in milliseconds. */
  get totals(): Pick<WorkerTotals, 'accesses' | 'bytes' | 'duration'> {
    return { accesses: this.#accesses, bytes: this.#bytes, duration: this.#durationMs }
  }

  counters(elsewhere: CountedElsewhere): ServingCounters {
    return {
      responses: [...this.#responses],
      durations: [...this.#durations],
      acceptedConnections: this.#connections,
      refusedConnections: this.#refusedConnections,
      displacedConnections: this.#displacedConnections,
      granted: this.#granted,
      refusals: [...this.#refusals.values()].map(({ kind, count }) => ({ ...kind, count })),
      hosts: this.#hosts.counts,
      ...elsewhere,
    }
  }

  #refused(request: TalliedRequest): void {
    const { errorModule: module, errorCode: code, refusedBy: rule } = request
    const outcome = OUTCOMES.get(request.refusalStatus) ?? 'failed'
    const name = `${outcome} ${module} ${code} ${rule}`
    const known = this.#refusals.get(name)
    if (known !== undefined) known.count++
    else if (this.#refusals.size < MOST_KINDS) this.#refusals.set(name, { kind: { outcome, module, code, rule }, count: 1 })
    else this.#countAsOther(outcome)
  }

  #countAsOther(outcome: RefusalCount['outcome']): void {
    const name = `${outcome} and more`
    const known = this.#refusals.get(name)
    if (known !== undefined) known.count++
    else this.#refusals.set(name, { kind: { outcome, module: '', code: '', rule: 'other' }, count: 1 })
  }
}

const METHODS: ReadonlyMap<string, number> = new Map(COUNTED_METHODS.map((method, index) => [method, index]))
const OTHER = COUNTED_METHODS.length - 1

const OUTCOMES: ReadonlyMap<number, RefusalCount['outcome']> = new Map([
  [401, 'challenged'],
  [403, 'denied'],
])

/** Most responses are fast: their bucket is one of the first. */
function bucketOf(seconds: number): number {
  let bucket = 0
  while (bucket < DURATION_BOUNDS.length && seconds > DURATION_BOUNDS[bucket]) bucket++
  return bucket
}
