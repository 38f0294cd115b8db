import type { Request } from '@gatewright/api'

/** Fields about the connection, which are this server's, and those that it writes itself; in lower case. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const SINGLE: ReadonlySet<string> = new Set(['location', 'etag', 'last-modified', 'content-range'])

/** What a response says of itself. */
export interface TakenHead {
  /** From 200 to 999; other ones are none of a response. */
  readonly status: number
  /** -1 if it is not stated. */
  readonly contentLength: number
}

/** Puts status and fields of an application's response into the request. @param repeated what becomes of fields of one name */
export function takeHead(
  request: Request,
  statusLine: string,
  fields: readonly (readonly [name: string, value: string])[],
  repeated: 'joined' | 'apart',
): TakenHead {
  const status = Number(statusLine.slice(0, 3))
  let contentLength = -1
  request.status = status
  request.reason = statusLine.slice(4)
  for (const [name, text] of fields) {
    const key = name.toLowerCase()
    // Cookies of Django begin with a blank.
    const value = text.replace(/^[\t ]+/, '')
    if (OWN_FIELDS.has(key)) continue
    if (key === 'content-length') contentLength = Number(value)
    else if (key === 'content-type') request.contentType = value
    else if (key === 'set-cookie' || key === 'www-authenticate') request.headersOut.add(name, value)
    else if (SINGLE.has(key)) request.headersOut.set(name, value)
    else if (repeated === 'joined') request.headersOut.merge(name, value)
    else request.headersOut.add(name, value)
  }
  return { status, contentLength }
}
