import { httpStatus, type Outcome, type ProxyPassing } from '@gatewright/api'
import type { AjpHead } from './response-packet.ts'

/** Fields of the connection, and the length, which packets state. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const URLS: ReadonlySet<string> = new Set(['content-location', 'destination', 'location', 'uri'])

const FIELD_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Puts status and fields of a response into the request. */
export function takeHead(passing: ProxyPassing, { status, reason, fields }: AjpHead): void {
  const { request } = passing
  const isStatus = status >= 200 && status <= 999
  request.status = isStatus ? status : 500
  // A field that is none makes the response an error of this server, with its own phrase.
  const isValid = fields.every(([name, value]) => FIELD_NAME.test(name) && !hasControl(value))
  request.reason = isStatus && isValid ? phraseOf(reason) : null
  const { headersOut } = request
  const named = namedByConnection(fields)
  for (const [name, value] of fields) {
    const key = name.toLowerCase()
    if (OWN_FIELDS.has(key) || named.has(key)) continue
    if (key === 'content-type') {
      // The first one counts.
      if (headersOut.has(name)) continue
      request.contentType = value
      headersOut.set(name, value)
    } else if (URLS.has(key)) headersOut.add(name, passing.mapUrl(value))
    else headersOut.add(name, key === 'set-cookie' ? passing.mapCookie(value) : value)
  }
}

/** ProxyErrorOverride: a page of this server replaces the response. Its first challenge remains. */
export function overridden({ request }: ProxyPassing, { status, reason, fields }: AjpHead): Outcome {
  request.reason = phraseOf(reason)
  if (status === 401) {
    const challenge = fields.find(([name]) => name.toLowerCase() === 'www-authenticate')
    if (challenge !== undefined) request.errHeadersOut.set('WWW-Authenticate', challenge[1])
  }
  return httpStatus(status)
}

/** The phrase of a back end, unless it would be more than a phrase. */
function phraseOf(reason: string | null): string | null {
  return reason === null || hasControl(reason) ? null : reason
}

function hasControl(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if ((code < 32 && code !== 9) || code === 127) return true
  }
  return false
}

function namedByConnection(fields: AjpHead['fields']): ReadonlySet<string> {
  const named = new Set<string>()
  for (const [name, value] of fields) {
    if (name.toLowerCase() !== 'connection') continue
    for (const option of value.split(',')) named.add(option.trim().toLowerCase())
  }
  return named
}
