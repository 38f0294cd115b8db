import { connect } from 'node:net'

/** Ms without a byte after which a server is taken to have said everything. */
const SILENCE = 400
/** Ms to wait for the first byte. */
const PATIENCE = 10_000

/** Sends bytes and reads until the server closes, or is silent after it has begun to answer. The text is latin1. */
export function exchange(port: number, bytes: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const chunks: Buffer[] = []
  const socket = connect({ host: '127.0.0.1', port })
  let timer = setTimeout(() => socket.destroy(), PATIENCE)
  socket.on('data', (chunk) => {
    chunks.push(chunk)
    clearTimeout(timer)
    timer = setTimeout(() => socket.destroy(), SILENCE)
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearTimeout(timer)
    resolve(Buffer.concat(chunks).toString('latin1'))
  })
  socket.write(Buffer.from(bytes, 'latin1'))
  return promise
}

/** A response as a client that follows RFC 9112 to the letter reads it. */
export interface ReadResponse {
  readonly status: number
  /** By name in lower case; several values are joined by line feeds. */
  readonly fields: ReadonlyMap<string, string>
  readonly body: string
}

/**
 * Divides what a server sent into responses.
 * @param methods of the requests; more responses are read as those to GET
 */
export function responsesIn(text: string, methods: readonly string[]): ReadResponse[] {
  const found: ReadResponse[] = []
  let rest = text
  while (rest !== '') {
    const head = /^HTTP\/1\.[01] (\d{3})[^\r\n]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(rest)
    if (head === null) return [...found, { status: 0, fields: new Map(), body: rest }]
    const status = Number(head[1])
    const fields = fieldsIn(head[2])
    rest = rest.slice(head[0].length)
    if (status < 200 && status !== 101) continue
    const isEmpty = methods[found.length] === 'HEAD' || status === 204 || status === 304
    const [body, after] = isEmpty ? ['', rest] : bodyIn(rest, fields)
    found.push({ status, fields, body })
    rest = after
  }
  return found
}

function fieldsIn(lines: string): Map<string, string> {
  const fields = new Map<string, string>()
  for (const line of lines.split('\r\n').slice(0, -1)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  return fields
}

/** @returns the body and what follows it */
function bodyIn(text: string, fields: ReadonlyMap<string, string>): [string, string] {
  if (fields.get('transfer-encoding') !== undefined) {
    let body = ''
    let rest = text
    for (;;) {
      const size = /^([0-9a-f]+)[^\r\n]*\r\n/i.exec(rest)
      if (size === null) return [body, '']
      const length = Number.parseInt(size[1], 16)
      rest = rest.slice(size[0].length)
      if (length === 0) return [body, rest.slice(/^(?:[^\r\n]+\r\n)*\r\n/.exec(rest)?.[0].length ?? rest.length)]
      body += rest.slice(0, length)
      rest = rest.slice(length + 2)
    }
  }
  const length = fields.get('content-length')
  return length === undefined ? [text, ''] : [text.slice(0, Number(length)), text.slice(Number(length))]
}
