import type { OsError } from '@gatewright/api'
import { systemError } from '@gatewright/api/text'
import { APR_TEXTS, RESOLVER_ERRORS } from './errno-texts.ts'

export { type OsError, systemError }

/**
 * The system error in a Node error, with the text of the C library; undefined if there is none. A failed name
 * lookup gets a code above 670000, APR's range for resolver errors.
 */
export function osError(error: unknown): OsError | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined
  const resolver = RESOLVER_ERRORS.get(error.code)
  if (resolver !== undefined) return { code: RESOLVER_BASE + resolver.code, text: resolver.text }
  // Below -3000 are libuv's own errors, which have no system number.
  if (!('errno' in error) || typeof error.errno !== 'number' || error.errno >= 0 || error.errno <= -3000) return undefined
  return systemError(-error.errno)
}

/** One of APR's own statuses by its number, such as 70007, `The timeout specified has expired`. */
export function aprError(code: number): OsError {
  return { code, text: APR_TEXTS.get(code) ?? 'Error string not specified yet' }
}

/**
 * As printed in a line: `(13)Permission denied`, `(EAI 2)Name or service not known`,
 * `(70007)The timeout ...`.
 */
export function osErrorText(error: OsError): string {
  return error.code < RESOLVER_BASE ? `(${error.code})${error.text}` : `(EAI ${error.code - RESOLVER_BASE})${error.text}`
}

const RESOLVER_BASE = 670_000
