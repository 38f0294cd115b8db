import type { Problem } from '@gatewright/api'
import { osError, osErrorText } from '@gatewright/log'
import { withoutHint } from './hint-text.ts'

/** What a module returned as its failure, whichever of the two forms it chose. */
export function problemOf(failure: string | Problem): Problem {
  return typeof failure === 'string' ? withoutHint(failure) : failure
}

/**
 * The message as it is printed, with the system's error and the code before it; '' for a failure without a
 * word.
 */
export function problemText({ cause, code, message }: Problem): string {
  const system = cause instanceof Error ? osError(cause) : cause
  return `${system === undefined ? '' : `${osErrorText(system)}: `}${code === undefined ? '' : `${code}: `}${message}`
}
