import type { Place } from '../explanation.ts'

/** What came of one thing that was checked: an expectation, a .htaccess file, something that lint has found. */
export interface CheckResult {
  readonly kind: 'expectation' | 'file' | 'lint'
  readonly title: string
  readonly passed: boolean
  /** Where the expectation stands, or what is wrong in a file; null when it stands nowhere. */
  readonly place: Place | null
  readonly expected: string
  readonly actual: string
  /** What decided, with its place, in one line; '' for what passed. */
  readonly reason: string
  /** How the decision came about, for people, in lines; null when nobody asked. */
  readonly explanation: string | null
}

/** A whole run. */
export interface CheckReport {
  /** What was checked: the path as it was given. */
  readonly subject: string
  readonly results: readonly CheckResult[]
  /** Time that it took. */
  readonly milliseconds: number
}

export function failures({ results }: CheckReport): readonly CheckResult[] {
  return results.filter(({ passed }) => !passed)
}
