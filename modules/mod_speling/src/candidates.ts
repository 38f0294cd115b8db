import type { SpelingConfig } from './config.ts'
import { basename, lower, MISSPELLINGS, type Misspelling, misspelling } from './misspelling.ts'

/** A file that may have been meant. */
export interface Candidate {
  readonly name: string
  readonly how: Misspelling
}

/**
 * The names of a folder that are similar to the requested one, the most probable first; null if the folder has exactly
 * this name. Yields after each name, because a folder may have many.
 */
export function* candidatesIn(
  names: readonly string[],
  requested: string,
  { caseOnly, basenames }: Readonly<SpelingConfig>,
): Generator<undefined, readonly Candidate[] | null> {
  const written = lower(requested)
  const base = basename(written)
  const found: Candidate[] = []
  for (const name of names) {
    if (name === requested) return null
    const meant = lower(name)
    const how = misspelling(written, meant)
    if (how !== null && (how === 'miscapitalized' || !caseOnly)) found.push({ name, how })
    else if (basenames && base === basename(meant)) found.push({ name, how: 'common basename' })
    yield undefined
  }
  return found.sort(byProbability)
}

function byProbability(one: Candidate, other: Candidate): number {
  const difference = MISSPELLINGS.indexOf(one.how) - MISSPELLINGS.indexOf(other.how)
  if (difference !== 0) return difference
  return one.name < other.name ? -1 : 1
}
