import type { MaybePromise, Request, Table } from '@gatewright/api'
import { inTurns } from './in-turns.ts'
import { isListed } from './list-item.ts'
import { type Edit, LONGEST_FIELD, replace, tooLong } from './replacement.ts'
import type { EditRule, Rule } from './rule.ts'
import { type RuleHost, textOf } from './value.ts'
import { holds } from './when.ts'

/**
 * Applies rules to a table of response headers, in order. As in httpd, Content-Type is kept in two places:
 * rules change the table, and those that set, remove or edit also change the request's type, which is the one
 * that is sent.
 */
export function changeResponseFields(request: Request, table: Table, rules: readonly Rule[], host: RuleHost): MaybePromise<void> {
  return rules.length === 0 ? undefined : inTurns(request, rules, { table, host }, applyRule)
}

interface Context {
  readonly table: Table
  readonly host: RuleHost
}

function applyRule(request: Request, rule: Rule, { table, host }: Context): MaybePromise<void> {
  if (rule.when !== null && !holds(rule.when, request, host)) return
  switch (rule.action) {
    case 'set':
      set(request, table, rule.name, textOf(rule, request, host))
      break
    case 'setifempty':
      if (!table.has(rule.name)) set(request, table, rule.name, textOf(rule, request, host))
      break
    case 'add':
      table.add(rule.name, textOf(rule, request, host))
      break
    case 'append':
      append(table, rule, textOf(rule, request, host))
      break
    case 'merge': {
      const value = textOf(rule, request, host)
      const list = table.get(rule.name)
      if (list === undefined || !isListed(value, list)) append(table, rule, value)
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
      return edit(request, rule, { table, host })
    case 'note': {
      const value = table.get(rule.name)
      const note = textOf(rule, request, host)
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

function append(table: Table, { name, place }: Exclude<Rule, { action: 'echo' }>, value: string): void {
  table.merge(name, value)
  if ((table.get(name) ?? '').length > LONGEST_FIELD) throw tooLong(place)
}

/** Edits the fields with a name, and moves them to the end of the table, even if they are unchanged. */
function edit(request: Request, rule: EditRule, { table, host }: Context): MaybePromise<void> {
  const changed = isContentType(rule.name) ? editType(request, rule, host) : undefined
  return changed instanceof Promise
    ? changed.then(() => editTable(request, rule, table, host))
    : editTable(request, rule, table, host)
}

function editType(request: Request, rule: EditRule, host: RuleHost): MaybePromise<void> {
  if (request.contentType === null) return
  const type = replace(request.contentType, { ...rule, replacement: textOf(rule, request, host) }, request.work)
  if (typeof type === 'string') request.contentType = type
  else
    return type.then((settled) => {
      request.contentType = settled
    })
}

function editTable(request: Request, rule: EditRule, table: Table, host: RuleHost): MaybePromise<void> {
  const values = table.getAll(rule.name)
  if (values.length === 0) return
  const edit = { ...rule, replacement: textOf(rule, request, host) }
  table.unset(rule.name)
  return addEdited(request, { values, name: rule.name, edit, table }, 0)
}

interface EditedField {
  readonly values: readonly string[]
  readonly name: string
  readonly edit: Edit
  readonly table: Table
}

function addEdited(request: Request, field: EditedField, first: number): MaybePromise<void> {
  const { values, name, edit, table } = field
  for (let index = first; index < values.length; index++) {
    const value = replace(values[index], edit, request.work)
    if (typeof value !== 'string') {
      return value.then((settled) => {
        table.add(name, settled)
        return addEdited(request, field, index + 1)
      })
    }
    table.add(name, value)
  }
}

function isContentType(name: string): boolean {
  return name.length === 12 && name.toLowerCase() === 'content-type'
}
