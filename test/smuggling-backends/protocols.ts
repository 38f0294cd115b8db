/** A request as a backend of FastCGI, SCGI, uwsgi or AJP reads it. */
export interface ReadRequest {
  readonly target: string
  /** CONTENT_LENGTH; null without. */
  readonly declared: number | null
  readonly length: number
}

/** What a backend makes of the bytes that have arrived on a connection. */
export type Reading =
  | { readonly kind: 'incomplete'; readonly reply?: Buffer; readonly used?: number }
  | { readonly kind: 'request'; readonly request: ReadRequest; readonly used: number; readonly reply: Buffer }
  | { readonly kind: 'malformed' }

/** A protocol of backends: a strict reader, which keeps what it needs of a connection itself. */
export interface BackEndProtocol {
  readonly scheme: string
  /** Whether a connection may carry another request. */
  readonly isKept: boolean
  reader(): (bytes: Buffer) => Reading
}

const CGI_RESPONSE = Buffer.from('Status: 200 OK\r\nContent-Type: text/plain\r\n\r\npage')
const INCOMPLETE: Reading = { kind: 'incomplete' }
const MALFORMED: Reading = { kind: 'malformed' }

function fromVariables(variables: ReadonlyMap<string, string>, length: number): ReadRequest {
  const text = variables.get('CONTENT_LENGTH') ?? ''
  return { target: variables.get('REQUEST_URI') ?? '', declared: text === '' ? null : Number(text), length }
}

function whole(bytes: Buffer, start: number, variables: ReadonlyMap<string, string>): Reading {
  const length = Number(variables.get('CONTENT_LENGTH') || 0)
  if (bytes.length < start + length) return INCOMPLETE
  return { kind: 'request', request: fromVariables(variables, length), used: start + length, reply: CGI_RESPONSE }
}

const SCGI: BackEndProtocol = {
  scheme: 'scgi',
  isKept: false,
  reader: () => (bytes) => {
    const colon = bytes.indexOf(':')
    if (colon < 0) return INCOMPLETE
    const size = bytes.toString('latin1', 0, colon)
    if (!/^\d+$/.test(size)) return MALFORMED
    const end = colon + 1 + Number(size)
    if (bytes.length <= end) return INCOMPLETE
    if (bytes[end] !== 0x2c) return MALFORMED
    const words = bytes.toString('latin1', colon + 1, end - 1).split('\0')
    const variables = new Map<string, string>()
    for (let index = 0; index + 1 < words.length; index += 2) variables.set(words[index], words[index + 1])
    return whole(bytes, end + 1, variables)
  },
}

const UWSGI: BackEndProtocol = {
  scheme: 'uwsgi',
  isKept: false,
  reader: () => (bytes) => {
    if (bytes.length < 4) return INCOMPLETE
    const end = 4 + bytes.readUInt16LE(1)
    if (bytes[0] !== 0 || bytes[3] !== 0) return MALFORMED
    if (bytes.length < end) return INCOMPLETE
    const variables = new Map<string, string>()
    for (let at = 4; at < end; ) {
      const words: string[] = []
      for (let word = 0; word < 2; word++) {
        const size = bytes.readUInt16LE(at)
        words.push(bytes.toString('latin1', at + 2, at + 2 + size))
        at += 2 + size
      }
      if (at > end) return MALFORMED
      variables.set(words[0], words[1])
    }
    return whole(bytes, end, variables)
  },
}

const [BEGIN, END_REQUEST, PARAMS, STDIN, STDOUT] = [1, 3, 4, 5, 6]

function fcgiRecord(type: number, id: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([1, type, id >> 8, id & 0xff, data.length >> 8, data.length & 0xff, 0, 0]), data])
}

function fcgiVariables(bytes: Buffer): Map<string, string> {
  const variables = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const sizes: number[] = []
    for (let word = 0; word < 2; word++) {
      const isLong = bytes[at] > 127
      sizes.push(isLong ? bytes.readUInt32BE(at) & 0x7fffffff : bytes[at])
      at += isLong ? 4 : 1
    }
    const [name, value] = sizes
    variables.set(bytes.toString('latin1', at, at + name), bytes.toString('latin1', at + name, at + name + value))
    at += name + value
  }
  return variables
}

const FCGI: BackEndProtocol = {
  scheme: 'fcgi',
  isKept: false,
  reader: () => (bytes) => {
    const params: Buffer[] = []
    let length = 0
    let stage = BEGIN
    for (let at = 0; at + 8 <= bytes.length; ) {
      const [version, type] = [bytes[at], bytes[at + 1]]
      const id = bytes.readUInt16BE(at + 2)
      const size = bytes.readUInt16BE(at + 4)
      const next = at + 8 + size + bytes[at + 6]
      if (version !== 1 || type !== stage) return MALFORMED
      if (next > bytes.length) return INCOMPLETE
      const data = bytes.subarray(at + 8, at + 8 + size)
      at = next
      if (type === BEGIN) stage = PARAMS
      else if (type === PARAMS && size > 0) params.push(data)
      else if (type === PARAMS) stage = STDIN
      else if (size > 0) length += size
      else {
        const reply = [
          fcgiRecord(STDOUT, id, CGI_RESPONSE),
          fcgiRecord(STDOUT, id, Buffer.alloc(0)),
          fcgiRecord(END_REQUEST, id, Buffer.alloc(8)),
        ]
        const request = fromVariables(fcgiVariables(Buffer.concat(params)), length)
        return { kind: 'request', request, used: at, reply: Buffer.concat(reply) }
      }
    }
    return INCOMPLETE
  },
}

const FORWARD = 2
const LENGTH_CODE = 0xa008

function ajpPacket(data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x41, 0x42, data.length >> 8, data.length & 0xff]), data])
}

const AJP_REPLY = Buffer.concat([
  ajpPacket(Buffer.from('\x04\0\xc8\0\x02OK\0\0\0', 'latin1')),
  ajpPacket(Buffer.from('\x03\0\x04page\0', 'latin1')),
  ajpPacket(Buffer.from([5, 1])),
])
const AJP_MORE = ajpPacket(Buffer.from([6, 0x1f, 0xfa]))

/** The target and the length that a Forward Request packet states, and whether the body has another end. */
function ajpHead(data: Buffer): { readonly target: string; readonly declared: number | null; readonly isChunked: boolean } {
  let at = 2
  const text = (): string => {
    const size = data.readUInt16BE(at)
    at += 2
    if (size === 0xffff) return ''
    const value = data.toString('latin1', at, at + size)
    at += size + 1
    return value
  }
  text()
  const target = text()
  for (let word = 0; word < 3; word++) text()
  at += 3
  const fields = data.readUInt16BE(at)
  at += 2
  let declared: number | null = null
  let isChunked = false
  for (let field = 0; field < fields; field++) {
    const code = data.readUInt16BE(at)
    const name = code >= 0xa000 ? '' : text().toLowerCase()
    if (code >= 0xa000) at += 2
    const value = text()
    if (code === LENGTH_CODE || name === 'content-length') declared = Number(value)
    if (name === 'transfer-encoding') isChunked = true
  }
  return { target, declared, isChunked }
}

const AJP: BackEndProtocol = {
  scheme: 'ajp',
  isKept: true,
  reader: () => {
    let head: ReturnType<typeof ajpHead> | null = null
    let length = 0
    const done = (used: number): Reading => {
      const request = { target: head?.target ?? '', declared: head?.declared ?? null, length }
      head = null
      length = 0
      return { kind: 'request', request, used, reply: AJP_REPLY }
    }
    return (bytes) => {
      if (bytes.length < 4) return INCOMPLETE
      if (bytes.readUInt16BE(0) !== 0x1234) return MALFORMED
      const used = 4 + bytes.readUInt16BE(2)
      if (bytes.length < used) return INCOMPLETE
      const data = bytes.subarray(4, used)
      if (head === null) {
        if (data[0] !== FORWARD) return MALFORMED
        head = ajpHead(data)
        // A body without a length is sent when the container asks for it.
        if (head.isChunked && head.declared === null) return { kind: 'incomplete', used, reply: AJP_MORE }
        return (head.declared ?? 0) > 0 ? { kind: 'incomplete', used } : done(used)
      }
      const size = data.length < 2 ? 0 : data.readUInt16BE(0)
      length += size
      if (size === 0 || (head.declared !== null && length >= head.declared)) return done(used)
      return { kind: 'incomplete', used, reply: AJP_MORE }
    }
  },
}

export const BACK_END_PROTOCOLS: readonly BackEndProtocol[] = [FCGI, SCGI, UWSGI, AJP]
