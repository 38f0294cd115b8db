import type { Request } from '@gatewright/api'
import { httpDate } from '@gatewright/api/text'

/** A cookie of flag CO, as it is sent. */
export interface Cookie {
  readonly name: string
  readonly field: string
}

/**
 * Reads `NAME:VALUE:DOMAIN[:MINUTES[:PATH[:SECURE[:HTTPONLY[:SAMESITE]]]]]`. If the text begins with a
 * semicolon, semicolons separate the fields. Consecutive separators count as one. null if there is no domain.
 * @param nowMs the start of the lifetime, in milliseconds since 1970
 */
export function cookieOf(text: string, nowMs: number): Cookie | null {
  const fields = text.split(text.startsWith(';') ? ';' : ':').filter((field) => field !== '')
  const [name, value, domain, minutes = '', path = '/', secure = '', httpOnly = '', sameSite = ''] = fields
  if (domain === undefined) return null
  let field = `${name}=${value}; path=${path}; domain=${domain}`
  const lifetime = Number.parseInt(minutes, 10) || 0
  if (lifetime !== 0) field += `; expires=${cookieDate(nowMs + lifetime * 60_000)}`
  if (isOn(secure, 'secure')) field += '; secure'
  if (isOn(httpOnly, 'httponly')) field += '; HttpOnly'
  if (sameSite !== '' && sameSite !== '0' && sameSite.toLowerCase() !== 'false') field += `; SameSite=${sameSite}`
  return { name, field }
}

function isOn(word: string, name: string): boolean {
  const lower = word.toLowerCase()
  return lower === 'true' || lower === '1' || lower === name
}

/** Netscape's date format, `Sat, 21-Nov-2026 15:23:18 GMT`. */
function cookieDate(ms: number): string {
  return httpDate(ms).replace(/^(\w+, \d\d) (\w+) (\d+)/, '$1-$2-$3')
}

/**
 * The request that the client sent. Its headers are sent with the responses of all of its redirects and
 * sub-requests.
 */
export function clientRequest(request: Request): Request {
  let first = request
  while (first.main !== null) first = first.main
  while (first.prev !== null) first = first.prev
  return first
}
