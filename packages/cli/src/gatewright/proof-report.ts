import { curlCommand, type Difference, type Explained, type Proof } from '@gatewright/policy'
import { counted } from '../counted.ts'

/** The result of a proof, for people. @param hint how to resolve a difference */
export function proofLines({ difference, closed, classes, places, sampled }: Proof, hint: string): string[] {
  const sample = heading(
    'Tested with some values only:',
    sampled.map((text) => `  ${text}`),
  )
  if (classes === 0)
    return ['Nothing was compared: no request reaches any section, so whether the two are equal is unknown.', ...sample]
  const closing = closed === null ? [] : [CLOSED, ...shown(closed)]
  if (difference === null) {
    if (closed !== null)
      return [
        `Not equal: ${counted(classes, 'class', 'classes')} of requests, at ${counted(places, 'kind')} of places, were decided; some that were granted before are now refused.`,
        ...closing,
        ...sample,
      ]
    const word = sampled.length === 0 ? 'Equal' : 'No difference found'
    return [
      `${word}: ${counted(classes, 'class', 'classes')} of requests, at ${counted(places, 'kind')} of places, are decided the same way before and after.`,
      ...sample,
    ]
  }
  return ['Not equal. The request that shows it:', ...shown(difference), ...closing, ...sample, `hint: ${hint}`]
}

/** Files to which the rewrite of a folder may deny access, because they are never meant to be public. */
const CLOSED = "Closed by the server's own section, which the old rules bypassed. A request that shows it:"

function shown({ question, variables, before, after }: Difference): string[] {
  return [
    `  ${curlCommand(question)}`,
    `  from ${question.client}${variables.length === 0 ? '' : `, with ${variables.join(', ')} set in the environment`}`,
    `  before: ${decided(before)}`,
    `  after:  ${decided(after)}`,
  ]
}

function decided({ status, challenge, user, why, rules }: Explained): string {
  const met = rules.length === 0 ? 'no rules' : `rules: ${rules.join(', ')}`
  return `${status}${user === null ? '' : `, user ${user}`}${challenge === '' ? '' : `, WWW-Authenticate: ${challenge}`}\n          ${why}\n          ${met}`
}

/** Lines below a title; nothing if there are none. */
export function heading(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines]
}
