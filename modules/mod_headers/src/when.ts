import { type Command, type Condition, isExpressionError, type Request } from '@gatewright/api'
import type { RuleHost } from './value.ts'

/** The condition of a rule. */
export type When =
  | { readonly kind: 'set' | 'unset'; readonly variable: string }
  | { readonly kind: 'expression'; readonly condition: Condition }

/** Parses the last word of a line: `early`, `env=NAME`, `env=!NAME` or `expr=EXPRESSION`, in any case. */
export function parseWhen(word: string, command: Command): When | 'early' | { readonly error: string } {
  const folded = word.toLowerCase()
  if (folded === 'early') return 'early'
  if (folded.startsWith('env=')) {
    const unset = word.startsWith('!', 'env='.length)
    const variable = word.slice(unset ? 'env=!'.length : 'env='.length)
    if (variable === '') {
      return { error: 'error: missing environment variable name. envclause should be in the form env=envar ' }
    }
    return { kind: unset ? 'unset' : 'set', variable }
  }
  if (folded.startsWith('expr=')) {
    const condition = command.services.condition(word.slice('expr='.length), command)
    if ('error' in condition) return { error: `Can't parse envclause/expression: ${condition.error}` }
    return { kind: 'expression', condition }
  }
  return { error: `Unknown parameter: ${word}` }
}

/**
 * Whether a rule applies. If the expression cannot be evaluated, httpd ignores the condition and applies the
 * rule.
 */
export function holds(when: When, request: Request, { log }: RuleHost): boolean {
  if (when.kind !== 'expression') return request.env.has(when.variable) === (when.kind === 'set')
  try {
    return when.condition.test(request)
  } catch (error) {
    if (!isExpressionError(error)) throw error
    log.write(request, 'error', 'AH01501', `Failed to evaluate expression (${error.message}) - ignoring`)
    return true
  }
}
