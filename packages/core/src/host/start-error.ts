import type { Problem } from '@gatewright/api'
import { ConfigError } from '../base/config-error.ts'
import { problemText } from '../base/problem.ts'

/**
 * The error that ends a start.
 * @param file the main configuration file
 * @param failure httpd's line about the step that failed, printed after the problem
 */
export function startError(file: string, problem: Problem, failure?: string): ConfigError {
  const { place, hint, before } = problem
  const found = place === undefined ? [] : [`AH00526: Syntax error on line ${place.line} of ${place.file}:`]
  const first = before === undefined ? [] : [problemText(before)]
  const last = failure === undefined || before !== undefined ? [] : [failure]
  const lines = [...first, ...found, problemText(problem), ...last]
  return new ConfigError('start', file, 0, lines.join('\n'), hint)
}

/** Whether the reason for a failure is already in the error log. */
export function isWithoutWord({ code, message }: Problem): boolean {
  return code === undefined && message === ''
}

/** httpd's line about a start that could not open its logs. */
export const LOGS_FAILED = 'AH00015: Unable to open logs'
