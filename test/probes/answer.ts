/** A received answer. */
export interface Answer {
  readonly version: string
  readonly status: number
  /** By names in lower case; several lines of a name are joined with commas. */
  readonly fields: ReadonlyMap<string, string>
  /** One character per byte, without framing. */
  readonly body: string
}

/** `more`: it is incomplete. `nonsense`: these bytes are not an answer. */
export type Reading = { readonly answer: Answer; readonly rest: Buffer } | 'more' | 'nonsense'

/**
 * Reads the first answer of some bytes.
 * @param method of the request: an answer to HEAD ends with its head
 * @param ended nothing follows the bytes
 */
export function readAnswer(bytes: Buffer, method: string, ended: boolean): Reading {
  const text = bytes.toString('latin1')
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return ended || (text.length >= 5 && !text.startsWith('HTTP/')) ? 'nonsense' : 'more'
  const [statusLine, ...lines] = text.slice(0, headEnd).split('\r\n')
  const [, version, code] = /^(HTTP\/\d\.\d) (\d{3}) /.exec(`${statusLine} `) ?? []
  if (code === undefined) return 'nonsense'
  const fields = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    if (colon < 1) return 'nonsense'
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    const before = fields.get(name)
    fields.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  const status = Number(code)
  const content = readBody(text.slice(headEnd + 4), { status, fields }, method, ended)
  if (typeof content === 'string') return content
  const { body, length } = content
  return { answer: { version, status, fields, body }, rest: bytes.subarray(headEnd + 4 + length) }
}

interface Head {
  readonly status: number
  readonly fields: ReadonlyMap<string, string>
}

/** `length` counts the framing as well. */
interface Content {
  readonly body: string
  readonly length: number
}

function readBody(text: string, { status, fields }: Head, method: string, ended: boolean): Content | 'more' | 'nonsense' {
  if (status < 200 || status === 204 || status === 304 || method === 'HEAD') return { body: '', length: 0 }
  if (fields.get('transfer-encoding') === 'chunked') return readChunks(text, ended)
  const length = fields.get('content-length')
  if (length === undefined) return ended ? { body: text, length: text.length } : 'more'
  if (!/^\d+$/.test(length)) return 'nonsense'
  if (text.length >= Number(length)) return { body: text.slice(0, Number(length)), length: Number(length) }
  return ended ? 'nonsense' : 'more'
}

function readChunks(text: string, ended: boolean): Content | 'more' | 'nonsense' {
  const missing = ended ? 'nonsense' : 'more'
  let body = ''
  let at = 0
  for (;;) {
    const lineEnd = text.indexOf('\r\n', at)
    if (lineEnd < 0) return missing
    const size = /^([\da-f]{1,8})(;.*)?$/i.exec(text.slice(at, lineEnd))?.[1]
    if (size === undefined) return 'nonsense'
    const from = lineEnd + 2
    const to = from + Number.parseInt(size, 16)
    if (from === to) {
      // No server here sends trailers.
      if (text.length < to + 2) return missing
      return text.startsWith('\r\n', to) ? { body, length: to + 2 } : 'nonsense'
    }
    if (text.length < to + 2) return missing
    if (!text.startsWith('\r\n', to)) return 'nonsense'
    body += text.slice(from, to)
    at = to + 2
  }
}
