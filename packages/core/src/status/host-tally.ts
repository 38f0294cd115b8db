import { type HostCount, STATUS_CLASSES } from '@gatewright/api/status'

/** What identifies a virtual host in figures: its name and the port of its ServerName, 0 if it states none. */
export interface CountedHost {
  readonly serverName: string
  readonly serverPort: number
}

/** Maximum number of names with counters of their own; responses of further hosts are counted together. */
const MOST_HOSTS = 1000

/** The name of the counters that further hosts share; no ServerName contains a blank. */
const OTHER_HOSTS = 'other hosts'

interface Counts {
  readonly name: string
  readonly responses: Float64Array
  bytes: number
}

/**
 * Counts responses by virtual host. Hosts with the same name and port share their counters, as those of one
 * host before and after a reload do.
 */
export class HostTally {
  readonly #byName = new Map<string, Counts>()
  /** Weak, because each reload makes new hosts. */
  readonly #byHost = new WeakMap<CountedHost, Counts>()
  #lastHost: CountedHost | null = null
  #last: Counts | null = null

  /**
   * @param host that answered
   * @param statusClass index in STATUS_CLASSES
   * @param bytes of the response's body
   */
  answered(host: CountedHost, statusClass: number, bytes: number): void {
    const counts = this.#last !== null && this.#lastHost === host ? this.#last : this.#countsOf(host)
    counts.responses[statusClass]++
    counts.bytes += bytes
  }

  get counts(): HostCount[] {
    return [...this.#byName.values()].map(({ name, responses, bytes }) => ({ name, responses: [...responses], bytes }))
  }

  #countsOf(host: CountedHost): Counts {
    let counts = this.#byHost.get(host)
    if (counts === undefined) {
      counts = this.#named(host.serverPort === 0 ? host.serverName : `${host.serverName}:${host.serverPort}`)
      this.#byHost.set(host, counts)
    }
    this.#lastHost = host
    this.#last = counts
    return counts
  }

  #named(wanted: string): Counts {
    const name = this.#byName.has(wanted) || this.#byName.size < MOST_HOSTS ? wanted : OTHER_HOSTS
    let counts = this.#byName.get(name)
    if (counts === undefined) {
      counts = { name, responses: new Float64Array(STATUS_CLASSES.length), bytes: 0 }
      this.#byName.set(name, counts)
    }
    return counts
  }
}
