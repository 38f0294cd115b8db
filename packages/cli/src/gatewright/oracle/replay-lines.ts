import { type Answer, curlCommand } from '@gatewright/policy'
import type { Replay } from './replay.ts'

/** Maximum number of contradictions to show. */
const SHOWN = 10

/** The answers of another server, for people. */
export function replayLines({ version, counterExample, confirmed, contradictions, skipped }: Replay): string[] {
  const total = confirmed + contradictions.length
  return [
    `${version} was asked about ${total} ${total === 1 ? 'request' : 'requests'}, before and after: ${confirmed} confirmed, ${contradictions.length} contradicted.`,
    ...(counterExample === null ? [] : [`  the request that shows the difference: ${counterExample}`]),
    ...[...skipped].map(([reason, count]) => `  ${count} not asked: ${reason}`),
    ...contradictions
      .slice(0, SHOWN)
      .flatMap(({ claim, before, after }) => [
        `  ${curlCommand(claim.question)}`,
        `    from ${claim.question.client}${claim.variables.length === 0 ? '' : `, with ${claim.variables.join(', ')} set in the environment`}`,
        `    before: ${answered(before)}, claimed ${answered(claim.before)}`,
        `    after:  ${answered(after)}, claimed ${answered(claim.after)}`,
      ]),
    ...(contradictions.length > SHOWN ? [`  and ${contradictions.length - SHOWN} more`] : []),
  ]
}

function answered({ status, challenge }: Answer): string {
  return challenge === '' ? String(status) : `${status} (${challenge})`
}
