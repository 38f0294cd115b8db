import type { Rule } from './rule.ts'
import { type Subject, sameSubject } from './subject.ts'

/**
 * Consecutive rules with the same subject, which is looked up once. As in httpd, a rule does not see
 * variables set by earlier ones of its group.
 */
export interface RuleGroup {
  /** null for SetEnvIfExpr. */
  readonly subject: Subject | null
  readonly rules: Rule[]
}

/**
 * Rules outside sections are applied after the request has been read, those of sections and .htaccess files
 * before access control.
 */
export interface SetenvifConfig {
  readonly server: RuleGroup[]
  readonly sections: RuleGroup[]
}

export function createSetenvifConfig(): SetenvifConfig {
  return { server: [], sections: [] }
}

/** Rules of outer sections are applied first. */
export function mergeSetenvifConfig(base: Readonly<SetenvifConfig>, over: Readonly<SetenvifConfig>): SetenvifConfig {
  return { server: append(base.server, over.server), sections: append(base.sections, over.sections) }
}

/** Adds a rule after the others of its scope. */
export function addRule(groups: RuleGroup[], subject: Subject | null, rule: Rule): void {
  const last = groups.at(-1)
  if (last !== undefined && subject !== null && last.subject !== null && sameSubject(last.subject, subject)) last.rules.push(rule)
  else groups.push({ subject, rules: [rule] })
}

function append(base: RuleGroup[], over: RuleGroup[]): RuleGroup[] {
  if (over.length === 0) return base
  return base.length === 0 ? over : [...base, ...over]
}
