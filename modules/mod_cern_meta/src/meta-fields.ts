import type { Request } from '@gatewright/api'

/** Fields by which a response is delimited: a file must not set them. */
const FRAMING: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'content-length',
  'connection',
  'te',
  'trailer',
  'upgrade',
  'keep-alive',
])

/** In bytes: httpd reads longer lines in pieces, and the second piece of a field is none. */
const LINE_LIMIT = 8191

export type MetaFields = readonly (readonly [name: string, value: string])[]

/** Why a file is refused. */
export interface MetaFault {
  readonly fault: 'malformed' | 'framing'
  /** Of the field. */
  readonly name: string
}

/** Reads the fields of a file up to the first empty line. @param text one character for each byte */
export function parseMetaFile(text: string): MetaFields | MetaFault {
  const fields: (readonly [string, string])[] = []
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\r$/, '')
    if (line === '') break
    const colon = line.indexOf(':')
    if (colon < 0 || line.length > LINE_LIMIT) return { fault: 'malformed', name: '' }
    const name = line.slice(0, colon)
    if (FRAMING.has(name.toLowerCase())) return { fault: 'framing', name }
    fields.push([name, line.slice(colon + 1).trimStart()])
  }
  return fields
}

/** Sets the fields in the response; `Content-Type` and `Status` have their places there. The last of a name counts. */
export function applyMetaFields(request: Request, fields: MetaFields): void {
  for (const [name, value] of fields) {
    const known = name.toLowerCase()
    if (known === 'content-type') request.contentType = value.trimEnd() || null
    else if (known === 'status') setStatus(request, value)
    else request.headersOut.set(name, value)
  }
}

function setStatus(request: Request, line: string): void {
  const [, digits = '', reason = ''] = /^([+-]?\d+)\s*(.*)$/s.exec(line) ?? []
  if (digits === '') return
  const status = Number(digits)
  const isStatus = status >= 100 && status <= 999
  request.status = isStatus ? status : 500
  request.reason = isStatus && reason !== '' ? reason : null
}
