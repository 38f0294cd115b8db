import { type Command, directivePlace } from '@gatewright/api'
import type { RewriteCondition } from './condition.ts'
import { readFlags } from './flag-list.ts'
import { lineWords } from './line-words.ts'
import type { QueryHandling, RewriteRule } from './rule.ts'
import { escapingOf, newRuleFlags, type RuleFlags, setRuleFlag } from './rule-flags.ts'
import { parseTemplate, type Template } from './template.ts'

/**
 * Parses the arguments of a RewriteRule; returns an error text if they are invalid.
 * @param conditions the RewriteCond lines before the rule
 */
export function parseRule(text: string, conditions: readonly RewriteCondition[], command: Command): RewriteRule | string {
  const words = lineWords(text)
  if (words === null) return `RewriteRule: bad argument line '${text}'`
  const flags = newRuleFlags()
  const error = words.flags === null ? undefined : readFlags(words.flags, (name, value) => setRuleFlag(flags, name, value))
  if (error !== undefined) return `RewriteRule: ${error}`
  const negated = words.first.startsWith('!')
  const regex = negated ? words.first.slice(1) : words.first
  const pattern = command.services.pattern(regex, { ignoreCase: flags.ignoreCase })
  if ('error' in pattern) return `RewriteRule: cannot compile regular expression '${regex}'`
  const { substitution, query } = readSubstitution(words.second, flags)
  return {
    source: regex,
    pattern,
    negated,
    conditions,
    substitution: flags.answer === 'status' ? null : substitution,
    status: flags.status,
    answer: flags.answer,
    proxy: flags.proxy,
    passThrough: flags.passThrough,
    last: flags.last,
    end: flags.end,
    chain: flags.chain,
    rounds: flags.rounds,
    skip: flags.skip,
    noSubrequest: flags.noSubrequest,
    noEscape: flags.noEscape,
    discardPathInfo: flags.discardPathInfo,
    query,
    environment: flags.environment,
    cookies: flags.cookies,
    type: flags.type,
    handler: flags.handler,
    escaping: escapingOf(flags),
    unsafeQuestionMark: flags.unsafeQuestionMark,
    unsafePrefix: flags.unsafePrefix,
    keepSlashes: flags.keepSlashes,
    place: directivePlace(command),
  }
}

interface Substitution {
  readonly substitution: Template | null
  readonly query: QueryHandling
}

/** If QSD or a question mark at the very end only discards the query, references cannot begin one either. */
function readSubstitution(text: string, flags: RuleFlags): Substitution {
  const query = { discarded: flags.queryDiscarded, appended: flags.queryAppended, last: flags.queryLast, read: true }
  if (text === '-') return { substitution: null, query }
  const mark = text.indexOf('?')
  if (mark < 0 || mark < text.length - 1)
    return { substitution: parseTemplate(text), query: { ...query, read: mark >= 0 || !query.discarded } }
  // The final question mark begins the query, even if references insert others before it.
  if (query.appended) return { substitution: parseTemplate(text), query: { ...query, last: true } }
  return { substitution: parseTemplate(text.slice(0, -1)), query: { ...query, discarded: true, read: false } }
}
