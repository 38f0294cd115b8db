import type { HostServices, SharedRecord } from '@gatewright/api'
import type { MetricFamily, MetricSample } from '@gatewright/api/status'

/** What is counted of a server, in the order of the numbers of its record. */
const COUNTED = ['leftAlone', 'failed', 'skipped'] as const
/** A process that ends leaves no server alone any more. */
const OF_PROCESS = [COUNTED.indexOf('leftAlone')]

/** Figures of the servers of one kind, of all processes. */
export class ServerFigures {
  readonly #services: Pick<HostServices, 'sharedRecord'>
  readonly #kind: string
  readonly #source: string
  readonly #records = new Map<string, SharedRecord>()

  /**
   * @param kind in the names of metrics: `redis`
   * @param source name of the module
   */
  constructor(services: Pick<HostServices, 'sharedRecord'>, kind: string, source: string) {
    this.#source = source
    this.#services = services
    this.#kind = kind
  }

  /** @param title of the server */
  count(title: string, what: (typeof COUNTED)[number], amount: number): void {
    this.#recordOf(title).add(COUNTED.indexOf(what), amount)
  }

  /** @param titles of the servers that the configuration names */
  metrics(titles: readonly string[]): readonly MetricFamily[] {
    if (titles.length === 0) return []
    const samples = (what: (typeof COUNTED)[number]): readonly MetricSample[] =>
      titles.map((title) => ({ labels: { server: title }, value: this.#recordOf(title).numbers[COUNTED.indexOf(what)] }))
    const name = `gatewright_${this.#kind}`
    return [
      {
        name: `${name}_left_alone`,
        type: 'gauge',
        help: 'Processes that leave the server alone, because it did not answer.',
        samples: samples('leftAlone'),
      },
      { name: `${name}_failures`, type: 'counter', help: 'Operations that failed.', samples: samples('failed') },
      {
        name: `${name}_skipped`,
        type: 'counter',
        help: 'Operations that were not tried, because the server was left alone.',
        samples: samples('skipped'),
      },
    ]
  }

  #recordOf(title: string): SharedRecord {
    let record = this.#records.get(title)
    if (record === undefined) {
      record = this.#services.sharedRecord(`${this.#source}/${title}`, {
        numbers: COUNTED.length,
        ofProcess: OF_PROCESS,
      })
      this.#records.set(title, record)
    }
    return record
  }
}
