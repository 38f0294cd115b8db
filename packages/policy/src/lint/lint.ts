import { curlCommand } from '../curl-command.ts'
import { byPlace, type Finding } from '../finding.ts'
import type { Found, Rule } from '../mistakes/rule.ts'
import type { PolicyServer } from '../policy-server.ts'
import { shownQuestion } from '../shown-question.ts'
import { type LintedSite, lintedSite } from '../site/linted-site.ts'
import { sectionsOf } from '../site/observation.ts'
import { moduleFindings } from './module-findings.ts'
import { RULES } from './rules.ts'
import { isSilenced } from './silenced.ts'

export interface LintOptions {
  /** Files of an assumed server that do not exist: they have no findings. */
  readonly madeUp?: ReadonlySet<string>
  /** Rules to check; absent: all. */
  readonly rules?: readonly Rule[]
  /** The rules of modules, if they count, too. */
  readonly modules?: ModuleRules
}

/** The rules of modules, and what they have found in the server's own files. */
export interface ModuleRules {
  /** From {@link moduleFindings}, which may need more rights than requests are decided with. */
  readonly found: readonly Finding[]
  isWanted(id: string): boolean
}

/**
 * Finds mistakes in an opened configuration. Each statement about a request was decided by the server, not
 * concluded from the text.
 */
export async function lint(
  server: PolicyServer,
  { madeUp = new Set(), rules = RULES, modules }: LintOptions = {},
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
  const ofModules = modules === undefined ? [] : [...modules.found, ...inAccessFiles(site, modules)]
  return [...findings.values(), ...ofModules.filter(({ file }) => !madeUp.has(file))].sort(byPlace)
}

/** What the rules of modules find in the .htaccess files that were met. */
function inAccessFiles({ server, files, walked, observations }: LintedSite, { isWanted }: ModuleRules): readonly Finding[] {
  const sections = observations.flatMap(sectionsOf).filter(({ file }) => walked.accessFiles.has(file))
  const accessFiles = [...new Map(sections.map((section) => [`${section.file}:${section.line}`, section])).values()]
  if (accessFiles.length === 0) return []
  return moduleFindings(server.configuration, { isWanted, accessFiles, files }).filter(({ file }) => walked.accessFiles.has(file))
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
