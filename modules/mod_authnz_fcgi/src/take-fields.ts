import type { Request, Slot } from '@gatewright/api'
import { OWN_FIELDS } from '@gatewright/fastcgi'
import type { Answer } from './answer.ts'

const VARIABLE = 'variable-'

/** What is put in the request: `Variable-NAME` becomes a variable after a grant, other fields are sent to the client. */
export function takeFields(request: Request, { head }: Answer): void {
  for (const [name, value] of head.fields) {
    const key = name.toLowerCase()
    if (key.startsWith(VARIABLE)) {
      // A denied client must not see what was meant for handlers.
      if (head.status === 200) request.env.set(name.slice(VARIABLE.length), value)
    } else if (OWN_FIELDS.has(key)) continue
    else if (key === 'content-type') request.contentType = value
    else if (key === 'location' || key === 'etag' || key === 'last-modified') request.headersOut.set(name, value)
    else if (key === 'set-cookie' || key === 'www-authenticate') request.errHeadersOut.add(name, value)
    else request.errHeadersOut.merge(name, value)
  }
}

/** The status line of an answer, which that of the response repeats if their statuses are the same, as in httpd. */
export interface StatusLine {
  readonly status: number
  readonly reason: string
}

export function noteStatusLine(request: Request, { head }: Answer, lines: Slot<Request, StatusLine>): void {
  if (head.reason === null) return
  const { status } = head
  if (head.reason === '' && status === 200) return
  const reason = head.reason === '' ? 'Unknown Reason' : head.reason
  lines.set(request, { status, reason })
  // The pages of errors show it.
  if (status === 401 || status === 500) request.reason = reason
}

/** Before the head of the response: nothing remains of a status line for another status. */
export function applyStatusLine(request: Request, { status, reason }: StatusLine): void {
  if (request.status === status) request.reason ??= reason
  else if (request.reason === reason) request.reason = null
}
