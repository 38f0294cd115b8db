import { STATUS_CODES } from 'node:http'
import type { ModuleLog, Request } from '@gatewright/api'
import { parseHttpDate } from '@gatewright/api/text'
import type { ScriptHead } from './script-head.ts'

/** Fields that are this server's. */
const OWN_FIELDS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'date', 'server'])
/** Fields that describe the resource: an error page has others. */
const OF_RESOURCE: ReadonlySet<string> = new Set(['location', 'content-range', 'etag'])

/** Puts status and fields of a script's head into the request, most of them so that they stay whatever the response becomes. */
export function takeHead(request: Request, { status, statusLine, fields }: ScriptHead, log: ModuleLog): void {
  if (statusLine !== null) takeStatus(request, status, statusLine)
  for (const [name, value] of fields) {
    const key = name.toLowerCase()
    if (OWN_FIELDS.has(key)) continue
    if (takeAtOnce(request, name, value, log)) continue
    if (key === 'set-cookie') request.errHeadersOut.add(name, value)
    else request.errHeadersOut.merge(name, value)
  }
}

/** Puts what httpd takes at once into the request, if the head has no end: its status and the fields of the resource. */
export function takeStart(request: Request, { status, statusLine, fields }: ScriptHead, log: ModuleLog): void {
  if (statusLine !== null) takeStatus(request, status, statusLine)
  for (const [name, value] of fields) takeAtOnce(request, name, value, log)
}

/** Takes a field that counts even if the head has no end. @returns false for others */
function takeAtOnce(request: Request, name: string, value: string, log: ModuleLog): boolean {
  const key = name.toLowerCase()
  if (key === 'content-type') request.contentType = value.trimEnd()
  else if (OF_RESOURCE.has(key)) request.headersOut.set(name, value)
  else if (key === 'last-modified') takeModified(request, value, log)
  else return false
  return true
}

function takeStatus(request: Request, status: number, line: string): void {
  request.status = status
  const reason = reasonIn(line)
  request.reason = status < 100 || status > 999 || (reason === null && STATUS_CODES[status] !== undefined) ? null : (reason ?? '')
}

/** The reason phrase in the field Status; null without one. */
export function reasonIn(line: string): string | null {
  return /^\d{3} (.+)$/.exec(line)?.[1] ?? null
}

function takeModified(request: Request, value: string, log: ModuleLog): void {
  if (parseHttpDate(value) !== undefined) request.headersOut.set('Last-Modified', value)
  else log.write(request, 'info', 'AH10247', `Ignored invalid header value: Last-Modified: '${value}'`)
}
