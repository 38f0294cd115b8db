import type { Problem } from '@gatewright/api'
import { isByteText, utf8Bytes } from '@gatewright/api/text'
import { osError, osErrorText } from '@gatewright/log'
import { withoutHint } from './hint-text.ts'
import { shownText } from './shown-text.ts'

/** A module's failure, which it may return in either form, as a Problem whose texts are bytes. */
export function problemOf(failure: string | Problem): Problem {
  const problem = typeof failure === 'string' ? withoutHint(failure) : failure
  const { message, hint } = problem
  if (isByteText(message) && (hint === undefined || isByteText(hint))) return problem
  return { ...problem, message: messageBytes(message), ...(hint === undefined ? {} : { hint: messageBytes(hint) }) }
}

/** The words of a configuration are bytes already; what a module's author wrote beyond them becomes UTF-8. */
function messageBytes(text: string): string {
  return text.replace(/[^\0-\xff]+/gu, (wide) => utf8Bytes(shownText(wide)))
}

/** The printed message, after the system's error and the code; '' for a failure without text. */
export function problemText({ cause, code, message }: Problem): string {
  const system = cause instanceof Error ? osError(cause) : cause
  return `${system === undefined ? '' : `${osErrorText(system)}: `}${code === undefined ? '' : `${code}: `}${message}`
}
