import type { Fields, MaybePromise, Request } from '@gatewright/api'
import { inTurns } from './in-turns.ts'
import { isListed } from './list-item.ts'
import { LONGEST_FIELD, replace, tooLong } from './replacement.ts'
import type { EditRule, Rule } from './rule.ts'
import { type RuleHost, textOf } from './value.ts'
import { holds } from './when.ts'

/** Applies rules to the headers of a request, in order. */
export function changeRequestFields(request: Request, rules: readonly Rule[], host: RuleHost): MaybePromise<void> {
  return rules.length === 0 ? undefined : inTurns(request, rules, host, applyRule)
}

function applyRule(request: Request, rule: Rule, host: RuleHost): MaybePromise<void> {
  if (rule.when !== null && !holds(rule.when, request, host)) return
  const fields = request.headersIn
  switch (rule.action) {
    case 'set':
      fields.set(rule.name, textOf(rule, request, host))
      break
    case 'setifempty':
      if (!fields.has(rule.name)) fields.set(rule.name, textOf(rule, request, host))
      break
    case 'add':
    case 'append':
      append(fields, rule, textOf(rule, request, host))
      break
    case 'merge': {
      const value = textOf(rule, request, host)
      const list = fields.get(rule.name)
      if (list === undefined || !isListed(value, list)) append(fields, rule, value)
      break
    }
    case 'unset':
      fields.delete(rule.name)
      break
    case 'edit':
      return edit(request, rule, host)
    case 'echo':
    case 'note':
      // Rejected when the line is parsed.
      break
  }
}

function edit(request: Request, rule: EditRule, host: RuleHost): MaybePromise<void> {
  const { headersIn, work } = request
  const old = headersIn.get(rule.name)
  if (old === undefined) return
  const value = replace(old, { ...rule, replacement: textOf(rule, request, host) }, work)
  if (typeof value !== 'string') return value.then((settled) => headersIn.set(rule.name, settled))
  headersIn.set(rule.name, value)
}

/**
 * Appends to a field. A request has one field per name: repeated fields are joined when they are read, and so
 * are added ones.
 */
function append(fields: Fields, { name, place }: Exclude<Rule, { action: 'echo' }>, value: string): void {
  const old = fields.get(name)
  const all = old === undefined ? value : `${old}, ${value}`
  if (all.length > LONGEST_FIELD) throw tooLong(place)
  fields.set(name, all)
}
