/**
 * Methods with counters of their own; the last entry counts all others.
 * @since 2.4.4
 */
export const COUNTED_METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'OPTIONS',
  'PATCH',
  'CONNECT',
  'TRACE',
  'PROPFIND',
  'other',
] as const

/**
 * Classes of status with counters of their own.
 * @since 2.4.4
 */
export const STATUS_CLASSES = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

/**
 * Upper bounds, in seconds, of the intervals of response times; longer times are counted after the last.
 * @since 2.4.4
 */
export const DURATION_BOUNDS: readonly number[] = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]

/**
 * Monotonic sums. A worker reports its own; added to those of ended workers they cover the life of the
 * server, across reloads.
 * @since 2.4.4
 */
export interface ServingCounters {
  /** Responses: five numbers, one per class of status, for each of COUNTED_METHODS. */
  readonly responses: readonly number[]
  /** Responses by DURATION_BOUNDS, each counted once, and those that took longer. */
  readonly durations: readonly number[]
  /** Accepted connections. */
  readonly acceptedConnections: number
  /** Connections that were closed on arrival because no descriptor was free. */
  readonly refusedConnections: number
  /** Connections that were closed to free a descriptor for a client with fewer connections. */
  readonly displacedConnections: number
  /** Requests that access control granted. */
  readonly granted: number
  /** Requests that access control denied, by the denying rule. */
  readonly refusals: readonly RefusalCount[]
  /** Responses by virtual host, for hosts that have answered. */
  readonly hosts: readonly HostCount[]
  /** Counts of the passwords that clients sent. */
  readonly passwords: PasswordCounters
  /** Log lines that could not be written. */
  readonly lostLogLines: number
  /** Seconds in which the event loop was active. */
  readonly loopActive: number
}

/**
 * The responses of the virtual hosts with one name.
 * @since 2.4.6
 */
export interface HostCount {
  /** Its ServerName, with the port if ServerName states one. Names come from the configuration, never from clients. */
  readonly name: string
  /** Responses: one number per class of status, see STATUS_CLASSES. */
  readonly responses: readonly number[]
  /** Bytes of response bodies, without headers. */
  readonly bytes: number
}

/**
 * How often one kind of rule denied a request.
 * @since 2.4.4
 */
export interface RefusalCount {
  /**
   * Denied: 403. Challenged: 401, which requests credentials. Failed: any other status, because the rule
   * could not be applied.
   */
  readonly outcome: 'denied' | 'challenged' | 'failed'
  /** Short name of the module that logged the reason; '' if no reason was logged, as with `code`. */
  readonly module: string
  /** Code of that message. */
  readonly code: string
  /**
   * The kind of rule, see `Request.refusedBy`: for example providers of a Require tree; '' if it is unknown.
   */
  readonly rule: string
  /** Requests. */
  readonly count: number
}

/**
 * Counts of the passwords that clients sent.
 * @since 2.4.4
 */
export interface PasswordCounters {
  /** Compared with a hash, which is slow. */
  readonly computed: number
  /** Known from an earlier comparison. */
  readonly remembered: number
  /** Not compared because too many were waiting or the client had disconnected. */
  readonly dropped: number
}

/**
 * The counters of a worker before its first request.
 * @since 2.4.4
 */
export const NO_COUNTERS: ServingCounters = {
  responses: new Array<number>(COUNTED_METHODS.length * STATUS_CLASSES.length).fill(0),
  durations: new Array<number>(DURATION_BOUNDS.length + 1).fill(0),
  acceptedConnections: 0,
  refusedConnections: 0,
  displacedConnections: 0,
  granted: 0,
  refusals: [],
  hosts: [],
  passwords: { computed: 0, remembered: 0, dropped: 0 },
  lostLogLines: 0,
  loopActive: 0,
}

/**
 * Adds two sets of counters.
 * @since 2.4.4
 */
export function addCounters(a: ServingCounters, b: ServingCounters): ServingCounters {
  return {
    responses: addLists(a.responses, b.responses),
    durations: addLists(a.durations, b.durations),
    acceptedConnections: a.acceptedConnections + b.acceptedConnections,
    refusedConnections: a.refusedConnections + b.refusedConnections,
    displacedConnections: a.displacedConnections + b.displacedConnections,
    granted: a.granted + b.granted,
    refusals: addRefusals(a.refusals, b.refusals),
    hosts: addHosts(a.hosts, b.hosts),
    passwords: {
      computed: a.passwords.computed + b.passwords.computed,
      remembered: a.passwords.remembered + b.passwords.remembered,
      dropped: a.passwords.dropped + b.passwords.dropped,
    },
    lostLogLines: a.lostLogLines + b.lostLogLines,
    loopActive: a.loopActive + b.loopActive,
  }
}

function addLists(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => (a[index] ?? 0) + (b[index] ?? 0))
}

function addRefusals(a: readonly RefusalCount[], b: readonly RefusalCount[]): readonly RefusalCount[] {
  if (b.length === 0) return a
  const sums = new Map(a.map((one) => [kindOf(one), one]))
  for (const one of b) {
    const kind = kindOf(one)
    const known = sums.get(kind)
    sums.set(kind, known === undefined ? one : { ...one, count: one.count + known.count })
  }
  return [...sums.values()]
}

function addHosts(a: readonly HostCount[], b: readonly HostCount[]): readonly HostCount[] {
  if (b.length === 0) return a
  const sums = new Map(a.map((one) => [one.name, one]))
  for (const one of b) {
    const known = sums.get(one.name)
    sums.set(
      one.name,
      known === undefined
        ? one
        : { name: one.name, responses: addLists(one.responses, known.responses), bytes: one.bytes + known.bytes },
    )
  }
  return [...sums.values()]
}

function kindOf({ outcome, module, code, rule }: RefusalCount): string {
  return `${outcome} ${module} ${code} ${rule}`
}
