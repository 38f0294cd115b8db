import type { BoundConfiguration } from '@gatewright/core'
import type { UpgradeFinding } from './finding.ts'

/**
 * Programs whose source text would be sent: their module is not available, or its lines were removed for that
 * reason.
 */
export function programFindings(configuration: BoundConfiguration): UpgradeFinding[] {
  return configuration.programSources().map(({ file, line, subject, text }) => ({
    kind: 'directive',
    weight: 'look',
    place: { file, line },
    subject,
    text: `${text}. Deny access to such files, or remove them`,
    instead: null,
    by: 'hand',
  }))
}
