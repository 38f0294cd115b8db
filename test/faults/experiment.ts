import type { Owner } from '../fixtures/staged-server.ts'
import type { LoadReport } from '../load/tally.ts'

/** A fault that is caused many times while clients send requests. */
export interface Experiment {
  readonly name: string
  /** @param progress receives the progress after each time */
  run(owner: Owner, times: number, progress: (done: number, load: LoadReport) => void): Promise<Outcome>
}

export interface Outcome {
  readonly load: LoadReport
  /** Further figures, with their units in their names. */
  readonly figures: Readonly<Record<string, number>>
  readonly checks: readonly Check[]
}

/** Something that must be so, as a sentence. */
export interface Check {
  readonly what: string
  readonly good: boolean
}

export function check(what: string, good: boolean): Check {
  return { what, good }
}

/** Every request was answered correctly, and no unrequested bytes arrived. */
export function nothingFailed({ requests, right, failed, strayBytes }: LoadReport): Check {
  return check('every request is answered rightly', right === requests && failed === 0 && strayBytes === 0)
}
