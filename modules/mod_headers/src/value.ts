import { type Command, isExpressionError, type ModuleLog, type Request, type Text } from '@gatewright/api'
import { type Format, parseFormat, renderFormat } from './format.ts'
import type { LoadNumbers } from './server-load.ts'

/** A value of a rule: the same for every request, with `%` items, or an expression. */
export type Value = string | { readonly format: Format } | { readonly expression: Text }

/** What rules need beside the request. */
export interface RuleHost {
  readonly log: ModuleLog
  readonly load: LoadNumbers
}

/** Reads a value; `expr=`, in small letters, makes it an expression. */
export function parseValue(source: string, command: Command): Value | { readonly error: string } {
  if (source.startsWith('expr=')) {
    const expression = command.services.text(source.slice('expr='.length), command)
    if ('error' in expression) return { error: `Can't parse value expression : ${expression.error}` }
    return expression.constant ?? { expression }
  }
  const format = parseFormat(source)
  return typeof format === 'string' || 'error' in format ? format : { format }
}

/** The text for a request; '' for an expression that cannot be evaluated, as in httpd. */
export function textOf(value: Value, request: Request, { log, load }: RuleHost): string {
  if (typeof value === 'string') return value
  if ('format' in value) return renderFormat(value.format, request, load)
  try {
    return value.expression.of(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(request, 'error', 'AH02557', `Can't evaluate value expression: ${error.message}`)
    return ''
  }
}
