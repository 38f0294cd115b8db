import { type AnsweringServer, answeringServerText } from '../answering-server.ts'
import type { Place } from '../explanation.ts'
import { placeTextBelow } from '../place-text.ts'

/** The result of one check: of an expectation, of a .htaccess file, or of a finding of lint. */
export interface CheckResult {
  readonly kind: 'expectation' | 'file' | 'lint'
  readonly title: string
  readonly passed: boolean
  /** The place of the expectation, or of the mistake in a file; null without a place. */
  readonly place: Place | null
  readonly expected: string
  readonly actual: string
  /**
   * The virtual host that answered; null if nothing was requested, or if the request was answered before a
   * host was chosen.
   */
  readonly answeredBy: AnsweringServer | null
  /** What differs from the expectation, such as the port; '' if nothing does. */
  readonly note: string
  /** The deciding rule with its place, in one line; '' for a passed expectation. */
  readonly reason: string
  /** How the decision was made, for people, in lines; null unless requested. */
  readonly explanation: string | null
}

/** A whole run. */
export interface CheckReport {
  /** The checked path, as given. */
  readonly subject: string
  /** Paths below it are shown relative to it. */
  readonly folder: string
  readonly results: readonly CheckResult[]
  /** Duration of the check. */
  readonly milliseconds: number
}

/** The number of expectations that each host answered, and all notes, for people. */
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
