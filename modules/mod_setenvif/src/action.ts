import { compileTemplate, type Template } from '@gatewright/api/text'

/** The effect of a rule on one variable. */
export interface Action {
  readonly variable: string
  /** null unsets the variable. */
  readonly value: string | Template | null
  /** The value as written. */
  readonly source: string
}

/**
 * Parses `NAME` (value 1), `NAME=value` or `!NAME`. As in httpd, an empty value means 1, a value that begins
 * with `!` unsets the variable, and `!NAME=value` sets a variable whose name begins with `!`.
 * @param groups whether `$1` and backslashes in the value have a special meaning, which they do not for a
 * literal text
 */
export function parseAction(word: string, groups: 'filled' | 'literal'): Action {
  const at = word.indexOf('=')
  const name = at < 0 ? word : word.slice(0, at)
  // Consecutive equals signs count as one.
  const value = at < 0 ? '' : word.slice(at + 1).replace(/^=+/, '')
  if (value.startsWith('!')) return { variable: name, value: null, source: value }
  if (value !== '') {
    return { variable: name, value: groups === 'literal' ? value : withoutGroups(compileTemplate(value)), source: value }
  }
  return name.startsWith('!') ? { variable: name.slice(1), value: null, source: '' } : { variable: name, value: '1', source: '1' }
}

/** Converts a template without groups to a string. */
function withoutGroups(template: Template): string | Template {
  return template.some((part) => typeof part === 'number') ? template : template.join('')
}
