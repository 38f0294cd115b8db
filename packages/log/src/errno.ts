import { constants } from 'node:os'
import { getSystemErrorMap } from 'node:util'
import type { OsError } from '@gatewright/api'
import { APR_TEXTS, ERRNO_TEXTS, RESOLVER_ERRORS } from './errno-texts.ts'

export type { OsError }

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

/** A system error by its number (2, 13, ...). */
export function systemError(code: number): OsError {
  return { code, text: TEXT_BY_NUMBER.get(code) ?? `Unknown error ${code}` }
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

const TEXT_BY_NUMBER: ReadonlyMap<number, string> = buildTexts()

/** Numbers differ between systems, names do not, so the numbers come from the running system. */
function buildTexts(): Map<number, string> {
  const texts = new Map<number, string>()
  for (const [negative, [name, fallback]] of getSystemErrorMap()) {
    if (negative > -3000) texts.set(-negative, ERRNO_TEXTS.get(name) ?? fallback)
  }
  for (const [name, code] of Object.entries(constants.errno)) {
    const text = ERRNO_TEXTS.get(name)
    if (text !== undefined) texts.set(code, text)
  }
  return texts
}
