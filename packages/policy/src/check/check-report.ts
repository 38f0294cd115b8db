import { type AnsweringServer, answeringServerText } from '../answering-server.ts'
import type { Place } from '../explanation.ts'
import { placeTextBelow } from '../render/place-text.ts'

/** What came of one thing that was checked: an expectation, a .htaccess file, something that lint has found. */
export interface CheckResult {
  readonly kind: 'expectation' | 'file' | 'lint'
  readonly title: string
  readonly passed: boolean
  /** Where the expectation stands, or what is wrong in a file; null when it stands nowhere. */
  readonly place: Place | null
  readonly expected: string
  readonly actual: string
  /** The virtual host that answered; null where nothing was asked, or nothing was chosen before the answer. */
  readonly answeredBy: AnsweringServer | null
  /** What is not as the expectation says, such as the port; '' where all is. */
  readonly note: string
  /** What decided, with its place, in one line; '' for what passed. */
  readonly reason: string
  /** How the decision came about, for people, in lines; null when nobody asked. */
  readonly explanation: string | null
}

/** A whole run. */
export interface CheckReport {
  /** What was checked: the path as it was given. */
  readonly subject: string
  /** Paths below it are shown relative to it. */
  readonly folder: string
  readonly results: readonly CheckResult[]
  /** Time that it took. */
  readonly milliseconds: number
}

/** Who answered how many expectations, and every note, for people. */
export function answeringLines({ results, folder }: CheckReport): string[] {
  const placeText = placeTextBelow(folder)
  const counts = new Map<string, number>()
  const notes = new Set<string>()
  for (const { answeredBy, note } of results) {
    if (note !== '') notes.add(note)
    if (answeredBy === null) continue
    const text = answeringServerText(answeredBy, placeText)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...[...counts].map(([text, count]) => `${count} answered by ${text}`), ...[...notes].map((note) => `note: ${note}`)]
}

export function failures({ results }: CheckReport): readonly CheckResult[] {
  return results.filter(({ passed }) => !passed)
}
