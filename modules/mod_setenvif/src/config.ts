import type { Rule } from './rule.ts'
import { type Subject, sameSubject } from './subject.ts'

/** Rules in a row that look at the same thing, so that it is looked up once. A rule does not see what earlier ones of its group set, as in httpd. */
export interface RuleGroup {
  /** null for SetEnvIfExpr. */
  readonly subject: Subject | null
  readonly rules: Rule[]
}

/** Rules outside sections run when the request has been read, those of sections and .htaccess files before access control. */
export interface SetenvifConfig {
  readonly server: RuleGroup[]
  readonly sections: RuleGroup[]
}

export function createSetenvifConfig(): SetenvifConfig {
  return { server: [], sections: [] }
}

/** Outer rules run first. */
export function mergeSetenvifConfig(base: Readonly<SetenvifConfig>, over: Readonly<SetenvifConfig>): SetenvifConfig {
  return { server: append(base.server, over.server), sections: append(base.sections, over.sections) }
}

/** Adds a rule behind the others of its place. */
export function addRule(groups: RuleGroup[], subject: Subject | null, rule: Rule): void {
  const last = groups.at(-1)
  if (last !== undefined && subject !== null && last.subject !== null && sameSubject(last.subject, subject)) last.rules.push(rule)
  else groups.push({ subject, rules: [rule] })
}

function append(base: RuleGroup[], over: RuleGroup[]): RuleGroup[] {
  if (over.length === 0) return base
  return base.length === 0 ? over : [...base, ...over]
}
