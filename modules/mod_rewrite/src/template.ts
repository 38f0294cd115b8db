import { closingBrace, indexOutsideBraces } from './braces.ts'
import { type Variable, variableOf } from './variables.ts'

/** `$1` or `%1`. */
export interface Reference {
  readonly kind: 'reference'
  readonly to: 'rule' | 'condition'
  readonly group: number
}

/** `%{NAME}`. */
export interface VariablePart {
  readonly kind: 'variable'
  readonly variable: Variable
}

/** `${map:key|otherwise}`. */
export interface MapPart {
  readonly kind: 'map'
  readonly map: string
  readonly key: Template
  /** null if no text follows a `|`. */
  readonly otherwise: Template | null
}

export type TemplatePart = string | Reference | VariablePart | MapPart

/** A text with references, parsed once. */
export interface Template {
  /** The text as written. */
  readonly source: string
  readonly parts: readonly TemplatePart[]
  /** The value of a text without references, else null. */
  readonly constant: string | null
}

/**
 * Parses a test string or a substitution. Anything that is not a reference is literal text; a backslash makes
 * the next character literal.
 */
export function parseTemplate(source: string): Template {
  const parts: TemplatePart[] = []
  let literal = ''
  let at = 0
  while (at < source.length) {
    const character = source[at]
    if (character === '\\' && at + 1 < source.length) {
      literal += source[at + 1]
      at += 2
      continue
    }
    const found = character === '$' || character === '%' ? referenceAt(source, at) : null
    if (found === null) {
      literal += character
      at++
      continue
    }
    if (literal !== '') parts.push(literal)
    literal = ''
    parts.push(found.part)
    at = found.end
  }
  if (literal !== '') parts.push(literal)
  return { source, parts, constant: constantOf(parts) }
}

function constantOf(parts: readonly TemplatePart[]): string | null {
  if (parts.length === 0) return ''
  return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : null
}

/**
 * The reference that begins with the `$` or `%` at an index, and the index of its end; null for an ordinary
 * character.
 */
function referenceAt(source: string, at: number): { readonly part: TemplatePart; readonly end: number } | null {
  const next = source.charCodeAt(at + 1)
  if (next >= 0x30 && next <= 0x39) {
    const to = source[at] === '$' ? 'rule' : 'condition'
    return { part: { kind: 'reference', to, group: next - 0x30 }, end: at + 2 }
  }
  if (source[at + 1] !== '{') return null
  const end = closingBrace(source, at + 2)
  if (end < 0) return null
  const inside = source.slice(at + 2, end)
  const part: TemplatePart | null = source[at] === '%' ? { kind: 'variable', variable: variableOf(inside) } : mapPart(inside)
  return part === null ? null : { part, end: end + 1 }
}

/** null if there is no colon before a key. */
function mapPart(inside: string): MapPart | null {
  const colon = indexOutsideBraces(inside, ':')
  if (colon < 0) return null
  const rest = inside.slice(colon + 1)
  const bar = indexOutsideBraces(rest, '|')
  const otherwise = bar < 0 ? '' : rest.slice(bar + 1)
  return {
    kind: 'map',
    map: inside.slice(0, colon),
    key: parseTemplate(bar < 0 ? rest : rest.slice(0, bar)),
    otherwise: otherwise === '' ? null : parseTemplate(otherwise),
  }
}
