import type { Result } from './probing.ts'
import type { RecordedBehaviour } from './recorded-httpd.ts'

/**
 * What is wrong with our results, as sentences: a MUST that fails and is not in the list, an entry of the list that is true no longer, or that httpd (`theirs`, where
 * it was probed) does not do either.
 */
export function complaints(
  ours: readonly Result[],
  theirs: readonly Result[] | undefined,
  recorded: readonly RecordedBehaviour[],
): string[] {
  const listed = new Set(recorded.map(({ probe }) => probe))
  const found: string[] = []
  for (const { probe, verdict, came } of ours) {
    if (verdict === 'failed' && probe.level === 'MUST' && !listed.has(probe.id))
      found.push(`${probe.id} (RFC ${probe.section}) fails: ${probe.title}; came: ${came}`)
    if (verdict === 'passed' && listed.has(probe.id)) found.push(`${probe.id} passes: take it off the list of recorded behaviour`)
  }
  for (const id of listed) {
    if (!ours.some(({ probe }) => probe.id === id)) found.push(`${id} is in the list of recorded behaviour, and no probe`)
    if (theirs?.some(({ probe, verdict }) => probe.id === id && verdict === 'passed')) found.push(`${id} is not what httpd does`)
  }
  return found
}
