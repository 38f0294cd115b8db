import type { DirectiveItem } from '@gatewright/config'
import type { Upgrade } from '../migrate/upgrade.ts'
import type { Origin } from './report.ts'
import { lineText, type StandingLine, type StandingLines } from './standing-lines.ts'

/**
 * Determines for which version of httpd a configuration was written, from directives that only one of them
 * has. Directives that 2.4 rejects have more weight than those that it introduced: a partly migrated
 * configuration still relies on the defaults of 2.2.
 * @param has whether this server has a directive with a name
 */
export function originOf(
  lines: StandingLines,
  { changes, additions }: Pick<Upgrade, 'changes' | 'additions'>,
  has: (name: string) => boolean,
): Origin {
  const refused = changes.find(({ file, item }) => lines.has(file, item) && (isLoadModule(item) || !has(item.name)))
  if (refused !== undefined) return { line: '2.2', evidence: evidence(refused) }
  const [missing] = additions
  if (missing !== undefined)
    return { line: '2.2', evidence: { file: missing.path, line: missing.line, text: `${missing.module} is not loaded` } }
  const news = [...lines.named(...NEW_DIRECTIVES), ...lines.named('require').filter(isNewRequire), ...newModules(lines)]
  const plain = news.find(({ parents }) => !parents.some(({ name, text }) => GUARD.test(name) && NEW_GUARD.test(text)))
  if (plain !== undefined) return { line: '2.4', evidence: evidence(plain) }
  if (news.length > 0) return { line: 'both', evidence: evidence(news[0]) }
  const old = changes.at(0) ?? lines.named('order', 'allow', 'deny', 'satisfy').at(0)
  return old === undefined ? { line: 'unknown', evidence: null } : { line: '2.2', evidence: evidence(old) }
}

function isLoadModule({ name }: DirectiveItem): boolean {
  return name.toLowerCase() === 'loadmodule'
}

const NEW_DIRECTIVES = [
  'includeoptional',
  'mutex',
  'maxrequestworkers',
  'maxconnectionsperchild',
  'authmerging',
  'errorlogformat',
  'protocols',
  'define',
]

const GUARD = /^if(?:module|version)$/i
const NEW_GUARD = /^(?:mod_authz_core\.c|authz_core_module|mod_access_compat\.c|access_compat_module|>=?\s*["']?2\.[34])/i

/** Words after Require that have no meaning in 2.2. */
function isNewRequire({ item }: StandingLine): boolean {
  return /^(?:all\s+(?:granted|denied)|not\s|ip\s|host\s|local\b|expr\s|method\s|env\s)/i.test(item.text)
}

function newModules(lines: StandingLines): StandingLine[] {
  return lines
    .named('loadmodule')
    .filter(({ item }) => /^(?:auth[nz]_core|access_compat|unixd|mpm_\w+)_module$/.test(item.words[0] ?? ''))
}

function evidence({ file, item }: Pick<StandingLine, 'file' | 'item'>): NonNullable<Origin['evidence']> {
  return { file, line: item.line ?? 1, text: lineText(item) }
}
