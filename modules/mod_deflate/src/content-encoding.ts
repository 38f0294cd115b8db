import type { Request } from '@gatewright/api'

const FIELD = 'Content-Encoding'

/** All codings that are known of the response, with commas between; undefined for none. */
export function contentEncodingOf({ headersOut, errHeadersOut, contentEncoding }: Request): string | undefined {
  const codings = [...errHeadersOut.getAll(FIELD), ...headersOut.getAll(FIELD)]
  if (contentEncoding !== null) codings.push(contentEncoding)
  return codings.length === 0 ? undefined : codings.join(', ')
}

/** True when nothing was done to the content: no coding, or `identity` only. */
export function isIdentity(codings: string | undefined): boolean {
  return codings === undefined || itemsOf(codings).every((item) => item.toLowerCase() === 'identity')
}

/** Notes that the content is now coded with gzip; `identity` goes. */
export function addGzip(request: Request): void {
  const { headersOut } = request
  headersOut.set(FIELD, 'gzip')
  if (request.contentEncoding !== null) request.contentEncoding = 'gzip'
}

/** Takes gzip away when it is the coding that was applied last; false when it is not. */
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

/** Takes gzip away from a request's own codings when it is the one that was applied last; false when it is not. */
export function removeGzipOfRequest({ headersIn }: Request): boolean {
  const field = headersIn.get(FIELD)
  const rest = field === undefined ? null : withoutGzip(field)
  if (rest === null) return false
  if (rest === '') headersIn.delete(FIELD)
  else headersIn.set(FIELD, rest)
  return true
}

/** The codings before gzip; null when the last one is another. */
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
