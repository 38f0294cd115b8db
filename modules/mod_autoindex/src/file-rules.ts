import { isWildcard, matchesWildcard, stepsOfMatch } from './wildcard.ts'

/** What a rule matches: the path of a file, its media type, or its encoding. */
export type RuleSubject = 'path' | 'type' | 'encoding'

/** An icon or alternative text for files of a kind. */
export interface FileRule {
  /** Pattern of the paths to which the rule is limited. */
  readonly scope: string
  readonly subject: RuleSubject
  readonly pattern: string
  readonly value: string
}

/**
 * Properties of a file that rules match. Type and encoding are null if unknown; the type has no parameters.
 */
export interface RuleTarget {
  readonly path: string
  readonly type: string | null
  readonly encoding: string | null
}

/** Names in AddIcon and AddAlt for folders, and for the blank icon in the heading. */
export const FOLDER_NAME = '^^DIRECTORY^^'
export const BLANK_NAME = '^^BLANKICON^^'

/** Creates a rule. A name that is not a pattern matches the end of a path. */
export function fileRule(path: string, subject: RuleSubject, name: string, value: string): FileRule {
  const pattern = subject === 'path' && !isWildcard(name) ? `*${name}` : name
  return { scope: `${path}*`, subject, pattern, value }
}

/**
 * The value of the first rule that matches a file; rules of the nearest section come first. In steps for
 * `inTurns`.
 */
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
  // Rules for types do not apply to encoded files.
  if (rule.subject === 'encoding') return encoding !== null && matchesWildcard(encoding, rule.pattern.toLowerCase())
  return encoding === null && type !== null && matchesWildcard(type, rule.pattern.toLowerCase())
}

/** The value of the first rule that matches a path, whatever the file's type. In steps for `inTurns`. */
export function* valueForPath(rules: readonly FileRule[], path: string): Generator<number, string | null> {
  for (const rule of rules) {
    yield stepsOfRule(rule, path)
    if (!matchesWildcard(path, rule.scope)) continue
    if (rule.pattern === '' || (rule.subject === 'path' && matchesWildcard(path, rule.pattern))) return rule.value
  }
  return null
}

/**
 * The value of the first rule for {@link FOLDER_NAME} or {@link BLANK_NAME}. These rules are not limited to
 * their section.
 */
export function valueForName(rules: readonly FileRule[], name: string): string | null {
  for (const rule of rules) if (rule.pattern === '' || matchesWildcard(name, rule.pattern)) return rule.value
  return null
}
