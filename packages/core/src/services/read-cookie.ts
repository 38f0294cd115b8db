import type { Fields } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from './error-log.ts'

/** The fields in which httpd looks for cookies. */
const FIELDS = ['Cookie', 'Cookie2'] as const

/**
 * The value of a cookie by its exact name, as it was sent; null if the client sent none, or several with different values, which is
 * logged.
 * Cookies are separated by semicolons and commas.
 * @param remove takes the cookie out of the fields, with the attributes ($Path) that follow it
 */
export function readCookie(request: RequestRecord, name: string, remove: boolean, log: CoreLog): string | null {
  const found = new Set<string>()
  const rests: [field: string, rest: string][] = []
  for (const field of FIELDS) {
    const text = request.headersIn.get(field)
    if (text === undefined) continue
    const { values, rest } = divide(text, name)
    if (values.length === 0) continue
    for (const value of values) found.add(value)
    rests.push([field, rest])
  }
  if (found.size > 1) {
    log.write(request, 'error', 'AH00011', `ap_cookie: client submitted cookie '${name}' more than once: ${request.uri}`)
    return null
  }
  if (remove) for (const [field, rest] of rests) setOrDelete(request.headersIn, field, rest)
  const [value = null] = found
  return value
}

function setOrDelete(fields: Fields, name: string, value: string): void {
  if (value === '') fields.delete(name)
  else fields.set(name, value)
}

/** The values of the cookies with a name, and the field without them. */
function divide(text: string, name: string): { readonly values: readonly string[]; readonly rest: string } {
  const values: string[] = []
  const prefix = `${name}=`
  let rest = ''
  let isRemoving = false
  for (let start = 0; start < text.length; ) {
    const end = endOfCookie(text, start)
    const cookie = text.slice(start, end).trimStart()
    if (cookie.startsWith(prefix)) {
      values.push(cookie.slice(prefix.length))
      isRemoving = true
    } else if (end > start && !(isRemoving && cookie.startsWith('$'))) {
      rest += rest === '' ? text.slice(start, end) : text.slice(start - 1, end)
      isRemoving = false
    }
    start = end + 1
  }
  return { values, rest }
}

function endOfCookie(text: string, start: number): number {
  let end = start
  while (end < text.length && text[end] !== ';' && text[end] !== ',') end++
  return end
}
