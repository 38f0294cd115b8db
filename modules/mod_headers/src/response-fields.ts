import type { Request, Table } from '@gatewright/api'
import { isListed } from './list-item.ts'
import { replace } from './replacement.ts'
import type { EditRule, Rule } from './rule.ts'
import { type RuleHost, textOf } from './value.ts'
import { holds } from './when.ts'

/**
 * Changes a table of response headers by the rules, in order. Content-Type is kept in two places, as in httpd: rules work on the table, and
 * those that set, remove or edit change the request's type as well, which is what is sent.
 */
export function changeResponseFields(request: Request, table: Table, rules: readonly Rule[], host: RuleHost): void {
  for (const rule of rules) {
    if (rule.when === null || holds(rule.when, request, host)) applyRule(request, table, rule, host)
  }
}

function applyRule(request: Request, table: Table, rule: Rule, host: RuleHost): void {
  switch (rule.action) {
    case 'set':
      set(request, table, rule.name, textOf(rule.value, request, host))
      break
    case 'setifempty':
      if (!table.has(rule.name)) set(request, table, rule.name, textOf(rule.value, request, host))
      break
    case 'add':
      table.add(rule.name, textOf(rule.value, request, host))
      break
    case 'append':
      table.merge(rule.name, textOf(rule.value, request, host))
      break
    case 'merge': {
      const value = textOf(rule.value, request, host)
      const list = table.get(rule.name)
      if (list === undefined || !isListed(value, list)) table.merge(rule.name, value)
      break
    }
    case 'unset':
      table.unset(rule.name)
      if (isContentType(rule.name)) request.contentType = null
      break
    case 'echo':
      for (const [name, value] of request.headersIn) if (rule.pattern.test(name)) table.add(name, value)
      break
    case 'edit':
      edit(request, table, rule, host)
      break
    case 'note': {
      const value = table.get(rule.name)
      const note = textOf(rule.value, request, host)
      if (value === undefined) request.notes.unset(note)
      else request.notes.set(note, value)
      break
    }
  }
}

function set(request: Request, table: Table, name: string, value: string): void {
  table.set(name, value)
  if (isContentType(name)) request.contentType = value
}

/** Fields that are edited go to the end of the table, changed or not. */
function edit(request: Request, table: Table, rule: EditRule, host: RuleHost): void {
  const { name, search, matches } = rule
  if (isContentType(name) && request.contentType !== null) {
    request.contentType = replace(request.contentType, search, textOf(rule.value, request, host), matches)
  }
  const values = table.getAll(name)
  if (values.length === 0) return
  const replacement = textOf(rule.value, request, host)
  table.unset(name)
  for (const value of values) table.add(name, replace(value, search, replacement, matches))
}

function isContentType(name: string): boolean {
  return name.length === 12 && name.toLowerCase() === 'content-type'
}
