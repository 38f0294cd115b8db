import type { Sample } from './sample.ts'

/** Number of samples kept: two minutes. */
export const LENGTH: number = 60

/** A page that is loaded again within this time (ms) continues its history. */
const GAP = 30_000

/** The latest samples, which survive reloading the page, as `?refresh` does regularly. */
export class History {
  samples: readonly Sample[] = []
  #startedAt: string

  /** @param startedAt start time of the server; a restarted server has a new history */
  constructor(startedAt: string) {
    this.#startedAt = startedAt
    const kept = read()
    if (kept !== null && kept.startedAt === startedAt && Date.now() - (kept.samples.at(-1)?.time ?? 0) < GAP)
      this.samples = kept.samples
  }

  add(sample: Sample): void {
    this.samples = [...this.samples, sample].slice(-LENGTH)
    write({ startedAt: this.#startedAt, samples: this.samples })
  }

  clear(startedAt: string): void {
    this.#startedAt = startedAt
    this.samples = []
  }
}

interface Kept {
  readonly startedAt: string
  readonly samples: readonly Sample[]
}

const key = (): string => `status of ${location.pathname}`

function read(): Kept | null {
  try {
    return JSON.parse(sessionStorage.getItem(key()) ?? 'null')
  } catch {
    return null
  }
}

/** Without storage there is only no history. */
function write(value: Kept): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify(value))
  } catch {}
}
