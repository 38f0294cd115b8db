import { type Command, type DirectivePlace, isExpressionError, type ModuleLog, type Request, type Text } from '@gatewright/api'
import { type Format, type FormatSources, parseFormat, renderFormat } from './format.ts'
import { LONGEST_FIELD, tooLong } from './replacement.ts'

/** The value of a rule: constant text, a format with `%` items, or an expression. */
export type Value = string | { readonly format: Format } | { readonly expression: Text }

/** What rules need in addition to the request. */
export interface RuleHost extends FormatSources {
  readonly log: ModuleLog
}

/** Parses a value. The prefix `expr=` (in lower case) introduces an expression. */
export function parseValue(source: string, command: Command): Value | { readonly error: string } {
  if (source.startsWith('expr=')) {
    const expression = command.services.text(source.slice('expr='.length), command)
    if ('error' in expression) return { error: `Can't parse value expression : ${expression.error}` }
    return expression.constant ?? { expression }
  }
  const format = parseFormat(source)
  return typeof format === 'string' || 'error' in format ? format : { format }
}

/** A value and the position of its line. */
export interface PlacedValue {
  readonly value: Value
  readonly place: DirectivePlace
}

/**
 * The text for a request; '' for an expression that cannot be evaluated, as in httpd.
 * @throws RequestTooExpensive if the text is too long
 */
export function textOf({ value, place }: PlacedValue, request: Request, host: RuleHost): string {
  if (typeof value === 'string') return value
  const text = evaluate(value, request, host)
  if (text.length > LONGEST_FIELD) throw tooLong(place)
  return text
}

function evaluate(value: Exclude<Value, string>, request: Request, host: RuleHost): string {
  if ('format' in value) return renderFormat(value.format, request, host)
  try {
    return value.expression.of(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    host.log.write(request, 'error', 'AH02557', `Can't evaluate value expression: ${error.message}`)
    return ''
  }
}
