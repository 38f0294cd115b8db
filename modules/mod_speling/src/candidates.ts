import type { SpelingConfig } from './config.ts'
import { hasSameBasename, MISSPELLINGS, type Misspelling, misspelling } from './misspelling.ts'

/** A file that may have been meant. */
export interface Candidate {
  readonly name: string
  readonly how: Misspelling
}

/**
 * The names of a folder that are similar to the requested one, the most probable first; null if the folder has exactly
 * this name.
 */
export function candidatesIn(
  names: readonly string[],
  requested: string,
  { caseOnly, basenames }: Readonly<SpelingConfig>,
): readonly Candidate[] | null {
  const found: Candidate[] = []
  for (const name of names) {
    if (name === requested) return null
    const how = misspelling(requested, name)
    if (how !== null && (how === 'miscapitalized' || !caseOnly)) found.push({ name, how })
    else if (basenames && hasSameBasename(requested, name)) found.push({ name, how: 'common basename' })
  }
  return found.sort(byProbability)
}

function byProbability(one: Candidate, other: Candidate): number {
  const difference = MISSPELLINGS.indexOf(one.how) - MISSPELLINGS.indexOf(other.how)
  if (difference !== 0) return difference
  return one.name < other.name ? -1 : 1
}
