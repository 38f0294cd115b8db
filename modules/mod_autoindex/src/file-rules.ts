import { isWildcard, matchesWildcard, stepsOfMatch } from './wildcard.ts'

/** What a rule looks at: the path of a file, its media type, or its encoding. */
export type RuleSubject = 'path' | 'type' | 'encoding'

/** An icon or alternative text for files of a kind. */
export interface FileRule {
  /** Pattern of the paths that the rule is limited to. */
  readonly scope: string
  readonly subject: RuleSubject
  readonly pattern: string
  readonly value: string
}

/** What rules look at. Type and encoding are null where the file has none; parameters of the type are left out. */
export interface RuleTarget {
  readonly path: string
  readonly type: string | null
  readonly encoding: string | null
}

/** Names of AddIcon and AddAlt that stand for folders, and for the blank in the heading's icon column. */
export const FOLDER_NAME = '^^DIRECTORY^^'
export const BLANK_NAME = '^^BLANKICON^^'

/** A name that is no pattern matches the end of a path. */
export function fileRule(path: string, subject: RuleSubject, name: string, value: string): FileRule {
  const pattern = subject === 'path' && !isWildcard(name) ? `*${name}` : name
  return { scope: `${path}*`, subject, pattern, value }
}

/** The value of the first rule that fits a file: those of the nearest section come first. In steps for `inTurns`. */
export function* valueForFile(rules: readonly FileRule[], target: RuleTarget): Generator<number, string | null> {
  const type = target.type?.toLowerCase() ?? null
  const encoding = target.encoding?.toLowerCase() ?? null
  for (const rule of rules) {
    yield stepsOfRule(rule, target.path)
    if (matchesWildcard(target.path, rule.scope) && fits(rule, target.path, type, encoding)) return rule.value
  }
  return null
}

function stepsOfRule({ scope, pattern }: FileRule, path: string): number {
  return stepsOfMatch(path, scope) + stepsOfMatch(path, pattern)
}

function fits(rule: FileRule, path: string, type: string | null, encoding: string | null): boolean {
  if (rule.pattern === '') return true
  if (rule.subject === 'path') return matchesWildcard(path, rule.pattern)
  // What is encoded does not have its type any more.
  if (rule.subject === 'encoding') return encoding !== null && matchesWildcard(encoding, rule.pattern.toLowerCase())
  return encoding === null && type !== null && matchesWildcard(type, rule.pattern.toLowerCase())
}

/** The value of the first rule for a path, whatever the file's type. In steps for `inTurns`. */
export function* valueForPath(rules: readonly FileRule[], path: string): Generator<number, string | null> {
  for (const rule of rules) {
    yield stepsOfRule(rule, path)
    if (!matchesWildcard(path, rule.scope)) continue
    if (rule.pattern === '' || (rule.subject === 'path' && matchesWildcard(path, rule.pattern))) return rule.value
  }
  return null
}

/** The value of the first rule for {@link FOLDER_NAME} or {@link BLANK_NAME}: these hold everywhere, whichever section names them. */
export function valueForName(rules: readonly FileRule[], name: string): string | null {
  for (const rule of rules) if (rule.pattern === '' || matchesWildcard(name, rule.pattern)) return rule.value
  return null
}
