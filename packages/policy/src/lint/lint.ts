import { curlCommand } from '../curl-command.ts'
import type { Finding } from '../finding.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { PolicyServer } from '../policy-server.ts'
import { shownQuestion } from '../shown-question.ts'
import { lintedSite } from '../site/linted-site.ts'
import { RULES } from './rules.ts'
import { isSilenced } from './silenced.ts'

export interface LintOptions {
  /** Files of an assumed server that do not exist: they have no findings. */
  readonly madeUp?: ReadonlySet<string>
  /** Rules to check; absent: all. */
  readonly rules?: readonly Rule[]
}

/**
 * Finds mistakes in an opened configuration. Each statement about a request was decided by the server, not
 * concluded from the text.
 */
export async function lint(
  server: PolicyServer,
  { madeUp = new Set(), rules = RULES }: LintOptions = {},
): Promise<readonly Finding[]> {
  const site = await lintedSite(server)
  const findings = new Map<string, Finding>()
  for (const rule of rules)
    for (const one of await rule.find(site)) {
      const found = madeUp.has(one.place.file) && one.cause !== undefined ? { ...one, ...one.cause } : one
      const { file, line } = found.place
      const key = `${file}\n${line}\n${rule.id}`
      if (madeUp.has(file) || findings.has(key) || isSilenced(site.files, rule.id, found.place)) continue
      findings.set(key, finding(rule, found))
    }
  return [...findings.values()].sort(byPlace)
}

function finding(
  { id, severity: usual }: Rule,
  { place: { file, line }, severity = usual, message, hint, shownBy }: Found,
): Finding {
  const reported = { rule: id, severity, file, line, message, hint: `${hint} (see ${id}.md)` }
  if (shownBy === undefined) return reported
  const { question, status, stage } = shownBy
  return {
    ...reported,
    request: { curl: curlCommand(question), question: shownQuestion(question), access: stage.access, status },
  }
}

function byPlace(a: Finding, b: Finding): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1
  return a.line - b.line || (a.rule < b.rule ? -1 : 1)
}
