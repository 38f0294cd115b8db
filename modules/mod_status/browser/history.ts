import type { Sample } from './sample.ts'

/** Samples that are kept: two minutes of them. */
export const LENGTH: number = 60

/** A page that is loaded again within this time (ms) goes on where it was. */
const GAP = 30_000

/** The latest samples, which outlive a reload of the page (`?refresh` makes one all the time). */
export class History {
  samples: readonly Sample[] = []
  #startedAt: string

  /** @param startedAt of the server: another one has another history */
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

/** Where there is no storage there is no history, and nothing else is lost. */
function write(value: Kept): void {
  try {
    sessionStorage.setItem(key(), JSON.stringify(value))
  } catch {}
}
