import type { Group, Store } from './store.ts'

/** An entry of the log of a job. */
interface LogEntry {
  readonly when: string
  readonly type: string
  readonly status?: string
  readonly detail?: string
}

const LOG_LENGTH = 128
const FILE = 'job.json'

/** What has been done for the certificates of a domain (job.json). Times in milliseconds since the epoch, 0 for none. */
export class Job {
  readonly name: string
  readonly #store: Store
  finished = false
  notified = false
  notifiedRenewed = false
  nextRun = 0
  lastRun = 0
  validFrom = 0
  errors = 0
  /** The result of the last run: a status of 0, or a problem. */
  last: Readonly<Record<string, unknown>> | undefined
  #log: LogEntry[] = []

  private constructor(store: Store, name: string) {
    this.#store = store
    this.name = name
  }

  /** @param group `staging`, or `domains` for one whose certificate is in use */
  static load(store: Store, name: string, group: Group = 'staging'): Job {
    const job = new Job(store, name)
    const json = store.readJson(group, name, FILE)
    if (json !== undefined) job.#fill(json)
    return job
  }

  save(group: Group = 'staging'): void {
    this.#store.writeJson(group, this.name, FILE, this.json())
  }

  /** job.json, with its members in httpd's order. */
  json(): Record<string, unknown> {
    const date = (name: string, time: number): Record<string, string> => (time > 0 ? { [name]: httpTime(time) } : {})
    return {
      name: this.name,
      finished: this.finished,
      notified: this.notified,
      'notified-renewed': this.notifiedRenewed,
      ...date('next-run', this.nextRun),
      ...date('last-run', this.lastRun),
      ...date('valid-from', this.validFrom),
      errors: this.errors,
      ...(this.last !== undefined && { last: this.last }),
      ...(this.#log.length > 0 && { log: { entries: this.#log } }),
    }
  }

  /** Adds an entry in front of the others. */
  note(type: string, detail?: string, status?: string): void {
    const entry: LogEntry = {
      when: httpTime(Date.now()),
      type,
      ...(status !== undefined && status !== '' && { status }),
      ...(detail !== undefined && { detail }),
    }
    this.#log = [entry, ...this.#log].slice(0, LOG_LENGTH)
  }

  /** When the last entry of a type was made; 0 for never. */
  latest(type: string): number {
    const entry = this.#log.find((one) => one.type === type)
    return entry === undefined ? 0 : Date.parse(entry.when)
  }

  #fill(json: Readonly<Record<string, unknown>>): void {
    const time = (name: string): number => {
      const value = json[name]
      const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
      return Number.isNaN(ms) ? 0 : ms
    }
    this.finished = json.finished === true
    this.notified = json.notified === true
    this.notifiedRenewed = json['notified-renewed'] === true
    this.nextRun = time('next-run')
    this.lastRun = time('last-run')
    this.validFrom = time('valid-from')
    this.errors = typeof json.errors === 'number' ? json.errors : 0
    this.last = isObject(json.last) ? json.last : undefined
    const entries = isObject(json.log) ? json.log.entries : undefined
    this.#log = Array.isArray(entries) ? entries.filter(isEntry).slice(0, LOG_LENGTH) : []
  }
}

/** A time as httpd's JSON has it. */
export function httpTime(ms: number): string {
  return new Date(ms).toUTCString()
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isEntry(value: unknown): value is LogEntry {
  return isObject(value) && typeof value.when === 'string' && typeof value.type === 'string'
}
