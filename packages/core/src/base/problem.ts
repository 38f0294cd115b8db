import type { Problem } from '@gatewright/api'
import { osError, osErrorText } from '@gatewright/log'
import { withoutHint } from './hint-text.ts'

/** A module's failure, which it may return in either form, as a Problem. */
export function problemOf(failure: string | Problem): Problem {
  return typeof failure === 'string' ? withoutHint(failure) : failure
}

/** The printed message, after the system's error and the code; '' for a failure without text. */
export function problemText({ cause, code, message }: Problem): string {
  const system = cause instanceof Error ? osError(cause) : cause
  return `${system === undefined ? '' : `${osErrorText(system)}: `}${code === undefined ? '' : `${code}: `}${message}`
}
