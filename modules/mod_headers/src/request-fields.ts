import type { Fields, Request } from '@gatewright/api'
import { isListed } from './list-item.ts'
import { replace } from './replacement.ts'
import type { Rule } from './rule.ts'
import { type RuleHost, textOf } from './value.ts'
import { holds } from './when.ts'

/** Changes the headers of a request by the rules, in order. */
export function changeRequestFields(request: Request, rules: readonly Rule[], host: RuleHost): void {
  for (const rule of rules) {
    if (rule.when === null || holds(rule.when, request, host)) applyRule(request, rule, host)
  }
}

function applyRule(request: Request, rule: Rule, host: RuleHost): void {
  const fields = request.headersIn
  switch (rule.action) {
    case 'set':
      fields.set(rule.name, textOf(rule.value, request, host))
      break
    case 'setifempty':
      if (!fields.has(rule.name)) fields.set(rule.name, textOf(rule.value, request, host))
      break
    case 'add':
    case 'append':
      append(fields, rule.name, textOf(rule.value, request, host))
      break
    case 'merge': {
      const value = textOf(rule.value, request, host)
      const list = fields.get(rule.name)
      if (list === undefined || !isListed(value, list)) append(fields, rule.name, value)
      break
    }
    case 'unset':
      fields.delete(rule.name)
      break
    case 'edit': {
      const old = fields.get(rule.name)
      if (old !== undefined) fields.set(rule.name, replace(old, rule.search, textOf(rule.value, request, host), rule.matches))
      break
    }
    case 'echo':
    case 'note':
      // Refused when the line is read.
      break
  }
}

/** A name has one field in a request: fields that were sent twice are joined when they are read, and one that is added is joined to it. */
function append(fields: Fields, name: string, value: string): void {
  const old = fields.get(name)
  fields.set(name, old === undefined ? value : `${old}, ${value}`)
}
