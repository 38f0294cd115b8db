import { compileTemplate, type Template } from '@gatewright/api/text'

/** What a rule does with one variable. */
export interface Action {
  readonly variable: string
  /** null removes the variable. */
  readonly value: string | Template | null
  /** The value as it was written. */
  readonly source: string
}

/**
 * Reads `NAME` (value 1), `NAME=value` or `!NAME`. An empty value means 1, a value that begins with `!` removes, `!NAME=value` sets a variable of that
 * odd name: all as httpd reads them.
 * @param groups whether `$1` and backslashes in the value mean something: they do not behind a literal
 */
export function parseAction(word: string, groups: 'filled' | 'literal'): Action {
  const at = word.indexOf('=')
  const name = at < 0 ? word : word.slice(0, at)
  // Several equals signs count as one.
  const value = at < 0 ? '' : word.slice(at + 1).replace(/^=+/, '')
  if (value.startsWith('!')) return { variable: name, value: null, source: value }
  if (value !== '') {
    return { variable: name, value: groups === 'literal' ? value : withoutGroups(compileTemplate(value)), source: value }
  }
  return name.startsWith('!') ? { variable: name.slice(1), value: null, source: '' } : { variable: name, value: '1', source: '1' }
}

/** A text without groups is one. */
function withoutGroups(template: Template): string | Template {
  return template.some((part) => typeof part === 'number') ? template : template.join('')
}
