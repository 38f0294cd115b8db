import type { Finding, Severity } from '@gatewright/policy'

const SEVERITIES: readonly Severity[] = ['error', 'warning', 'note']

/** `2 errors, 1 note`. */
export function findingsSummary(findings: readonly Finding[]): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const count = findings.filter((finding) => finding.severity === severity).length
    return count === 0 ? [] : [`${count} ${severity}${count === 1 ? '' : 's'}`]
  })
  return counts.length === 0 ? 'nothing found' : counts.join(', ')
}

/** The exit status: 1 if a finding is an error, otherwise 0. */
export function lintStatus(findings: readonly Finding[]): number {
  return findings.some(({ severity }) => severity === 'error') ? 1 : 0
}
