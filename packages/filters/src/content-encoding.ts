import type { Request } from '@gatewright/api'

const FIELD = 'Content-Encoding'

/** All content codings of a response, separated by commas; undefined if there are none. */
export function contentEncodingOf({ headersOut, errHeadersOut, contentEncoding }: Request): string | undefined {
  const codings = [...errHeadersOut.getAll(FIELD), ...headersOut.getAll(FIELD)]
  if (contentEncoding !== null) codings.push(contentEncoding)
  return codings.length === 0 ? undefined : codings.join(', ')
}

/** True if the content is not encoded: no coding, or only `identity`. */
export function isIdentity(codings: string | undefined): boolean {
  return codings === undefined || itemsOf(codings).every((item) => item.toLowerCase() === 'identity')
}

/** Sets the content coding, and removes `identity`. */
export function setContentCoding(request: Request, coding: string): void {
  const { headersOut } = request
  headersOut.set(FIELD, coding)
  if (request.contentEncoding !== null) request.contentEncoding = coding
}

/** Removes gzip if it is the coding applied last; returns false if it is not. */
export function removeGzip(request: Request): boolean {
  for (const table of [request.headersOut, request.errHeadersOut]) {
    const field = table.get(FIELD)
    if (field === undefined) continue
    const rest = withoutGzip(field)
    if (rest === null) return false
    if (rest === '') table.unset(FIELD)
    else table.set(FIELD, rest)
    return true
  }
  const rest = request.contentEncoding === null ? null : withoutGzip(request.contentEncoding)
  if (rest === null) return false
  request.contentEncoding = rest === '' ? null : rest
  return true
}

/** Removes gzip from the codings of a request body if it was applied last; returns false if it was not. */
export function removeGzipOfRequest({ headersIn }: Request): boolean {
  const field = headersIn.get(FIELD)
  const rest = field === undefined ? null : withoutGzip(field)
  if (rest === null) return false
  if (rest === '') headersIn.delete(FIELD)
  else headersIn.set(FIELD, rest)
  return true
}

/** The codings before gzip; null if gzip is not the last one. */
function withoutGzip(codings: string): string | null {
  const items = itemsOf(codings)
  const last = items.pop()?.toLowerCase()
  return last === 'gzip' || last === 'x-gzip' ? items.join(', ') : null
}

function itemsOf(list: string): string[] {
  return list
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}
