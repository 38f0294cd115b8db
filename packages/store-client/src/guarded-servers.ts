import type { HostServices, ModuleLog } from '@gatewright/api'
import type { MetricFamily } from '@gatewright/api/status'
import { utf8Bytes } from '@gatewright/api/text'
import { Breaker } from './breaker.ts'
import { ServerFigures } from './server-figures.ts'

/**
 * How long a server that users need is left alone at most (ms). It is needed again as soon as it answers, so this is short: it
 * bounds how much later than without a breaker they get in.
 */
const LONGEST_PAUSE = 5_000

/** What distinguishes one kind of servers from another. */
export interface GuardedKind {
  /** In the names of metrics: `ldap`. */
  readonly kind: string
  /** Source name of the module. */
  readonly source: string
  /** What becomes of requests meanwhile, as the end of a log line. */
  readonly meanwhile: string
}

/**
 * Servers to which connections are opened for requests. One that keeps requests waiting until a time limit is left alone for a second,
 * then for twice as long each time, 5 seconds at most, so that not every request waits for it. One that refuses connections is not:
 * that costs nothing.
 */
export class GuardedServers {
  readonly #log: ModuleLog
  readonly #kind: GuardedKind
  readonly #figures: ServerFigures
  readonly #breakers = new Map<string, Breaker>()

  constructor(services: Pick<HostServices, 'sharedRecord'>, log: ModuleLog, kind: GuardedKind) {
    this.#log = log
    this.#kind = kind
    this.#figures = new ServerFigures(services, kind.kind, kind.source)
  }

  /**
   * The breaker of a server.
   * @param title as the log and metrics name the server: without secrets
   * @param isSlow whether a failure kept the request waiting until a time limit
   */
  breaker(title: string, isSlow: (error: Error) => boolean): Breaker {
    const known = this.#breakers.get(title)
    if (known !== undefined) return known
    const count = (what: 'leftAlone' | 'failed' | 'skipped', amount: number): void => this.#figures.count(title, what, amount)
    const made = new Breaker(
      (error) => {
        const text = `${title} does not answer: ${error.message}; ${this.#kind.meanwhile}`
        this.#log.write(null, 'error', '', utf8Bytes(text))
        count('leftAlone', 1)
      },
      () => {
        this.#log.write(null, 'notice', '', `${title} answers again`)
        count('leftAlone', -1)
      },
      undefined,
      (what) => count(what, 1),
      { longestPause: LONGEST_PAUSE, opensFor: isSlow },
    )
    this.#breakers.set(title, made)
    return made
  }

  /** Figures of all processes for the servers that this one has asked or was configured with. */
  metrics(): readonly MetricFamily[] {
    return this.#figures.metrics([...this.#breakers.keys()])
  }
}
