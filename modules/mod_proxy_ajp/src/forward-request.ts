import type { Request } from '@gatewright/api'
import { PacketFault, UNSPECIFIC } from './faults.ts'
import { MessageWriter } from './message-writer.ts'

/** Codes of methods. Others are an attribute. */
const METHODS: ReadonlyMap<string, number> = new Map([
  ['OPTIONS', 1],
  ['GET', 2],
  ['HEAD', 3],
  ['POST', 4],
  ['PUT', 5],
  ['DELETE', 6],
  ['TRACE', 7],
  ['PROPFIND', 8],
  ['PROPPATCH', 9],
  ['MKCOL', 10],
  ['COPY', 11],
  ['MOVE', 12],
  ['LOCK', 13],
  ['UNLOCK', 14],
  ['REPORT', 16],
  ['VERSION-CONTROL', 17],
  ['CHECKIN', 18],
  ['CHECKOUT', 19],
  ['UNCHECKOUT', 20],
  ['MKWORKSPACE', 22],
  ['UPDATE', 23],
  ['LABEL', 24],
  ['MERGE', 25],
  ['BASELINE-CONTROL', 26],
  ['MKACTIVITY', 27],
])
const STORED_METHOD = 0xff

/** Codes of fields by their names in lower case. */
const FIELDS: ReadonlyMap<string, number> = new Map([
  ['accept', 0xa001],
  ['accept-charset', 0xa002],
  ['accept-encoding', 0xa003],
  ['accept-language', 0xa004],
  ['authorization', 0xa005],
  ['connection', 0xa006],
  ['content-type', 0xa007],
  ['content-length', 0xa008],
  ['cookie', 0xa009],
  ['cookie2', 0xa00a],
  ['host', 0xa00b],
  ['pragma', 0xa00c],
  ['referer', 0xa00d],
  ['user-agent', 0xa00e],
])

const FORWARD_REQUEST = 2
const ATTRIBUTE = {
  remoteUser: 3,
  authType: 4,
  query: 5,
  route: 6,
  sslCertificate: 7,
  sslCipher: 8,
  sslSession: 9,
  named: 10,
  sslKeySize: 11,
  secret: 12,
  method: 13,
} as const
const PREFIX = 'AJP_'

/** What a packet states of a request beyond the request. */
export interface ForwardParts {
  /** The URL to ask for. */
  readonly url: string
  /** The longest packet. */
  readonly size: number
  readonly remoteHost: string | null
  readonly secret: string | undefined
  /** A variable of mod_ssl; '' if it has no value. */
  readonly tlsValue: (name: string) => string
}

/** The packet that begins a request. @throws PacketFault for a request that is longer than a packet */
export function forwardRequest(request: Request, parts: ForwardParts): Buffer {
  const message = new MessageWriter(parts.size)
  const method = METHODS.get(request.method) ?? STORED_METHOD
  const { path, query } = split(parts.url)
  const begins = ['AH00968', 'Error appending the message beginning'] as const
  message.uint8(FORWARD_REQUEST, ...begins)
  message.uint8(method, ...begins)
  message.string(request.protocol, ...begins)
  message.string(path, ...begins)
  message.string(request.useragentAddress, ...begins)
  message.string(parts.remoteHost, ...begins)
  message.string(request.serverName(), ...begins)
  message.uint16(request.connection.localPort, ...begins)
  message.uint8(request.scheme === 'https' ? 1 : 0, ...begins)
  writeFields(message, request)
  const attribute = (kind: number, value: string, code: string, what: string): void => {
    message.uint8(kind, code, `Error appending ${what}`)
    message.string(value, code, `Error appending ${what}`)
  }
  if (parts.secret !== undefined) writeSecret(message, parts.secret)
  if (request.user !== null) attribute(ATTRIBUTE.remoteUser, request.user, 'AH00972', 'the remote user')
  if (request.authType !== null) attribute(ATTRIBUTE.authType, request.authType, 'AH00973', 'the auth type')
  if (query !== null) attribute(ATTRIBUTE.query, query, 'AH00974', 'the query string')
  const route = request.notes.get('session-route')
  if (route !== undefined) attribute(ATTRIBUTE.route, route, 'AH00975', 'the jvm route')
  if (request.scheme === 'https') writeTls(message, parts.tlsValue)
  if (method === STORED_METHOD) {
    attribute(ATTRIBUTE.method, request.method, 'AH02438', `the method '${request.method}' as request attribute`)
  }
  writeNamed(message, request, parts)
  message.end('AH00982', 'Error appending the message end')
  return message.packet()
}

/** A secret for which a packet has no place is an error of the server, not of the client. */
function writeSecret(message: MessageWriter, secret: string): void {
  try {
    message.uint8(ATTRIBUTE.secret, 'AH03228', 'Error appending secret')
    message.string(secret, 'AH03228', 'Error appending secret')
  } catch (error) {
    throw error instanceof PacketFault ? new PacketFault(error.lines, UNSPECIFIC) : error
  }
}

function split(url: string): { readonly path: string; readonly query: string | null } {
  const slash = url.indexOf('/', url.indexOf('://') + 3)
  const rest = slash < 0 ? '/' : url.slice(slash)
  const mark = rest.indexOf('?')
  return mark < 0 ? { path: rest, query: null } : { path: rest.slice(0, mark), query: rest.slice(mark + 1) }
}

function writeFields(message: MessageWriter, request: Request): void {
  const fields = [...request.headersIn]
  message.uint16(fields.length, 'AH00968', 'Error appending the message beginning')
  for (const [name, value] of fields) {
    const code = FIELDS.get(name.toLowerCase())
    if (code === undefined) message.string(name, 'AH00970', 'Error appending the header name')
    else message.uint16(code, 'AH00969', 'Error appending the header name')
    message.string(value, 'AH00971', 'Error appending the header value')
  }
}

function writeTls(message: MessageWriter, tlsValue: (name: string) => string): void {
  const attribute = (kind: number, name: string, code: string, what: string): void => {
    const value = tlsValue(name)
    if (value === '') return
    message.uint8(kind, code, `Error appending ${what}`)
    message.string(value, code, `Error appending ${what}`)
  }
  attribute(ATTRIBUTE.sslCertificate, 'SSL_CLIENT_CERT', 'AH00976', 'the SSL certificates')
  attribute(ATTRIBUTE.sslCipher, 'SSL_CIPHER', 'AH00977', 'the SSL ciphers')
  attribute(ATTRIBUTE.sslSession, 'SSL_SESSION_ID', 'AH00978', 'the SSL session')
  const keySize = Number.parseInt(tlsValue('SSL_CIPHER_USEKEYSIZE'), 10)
  if (!(keySize > 0 && keySize <= 0xffff)) return
  message.uint8(ATTRIBUTE.sslKeySize, 'AH00979', 'Error appending the SSL key size')
  message.uint16(keySize, 'AH00979', 'Error appending the SSL key size')
}

function writeNamed(message: MessageWriter, { connection, useragentPort, env, scheme }: Request, parts: ForwardParts): void {
  const attribute = (name: string, value: string, code: string): void => {
    // The value may be a secret: messages name the attribute only.
    const text = `Error appending attribute ${name}`
    message.uint8(ATTRIBUTE.named, code, text)
    message.string(name, code, text)
    message.string(value, code, text)
  }
  const protocol = scheme === 'https' ? parts.tlsValue('SSL_PROTOCOL') : ''
  if (protocol !== '') attribute('AJP_SSL_PROTOCOL', protocol, 'AH02830')
  attribute('AJP_REMOTE_PORT', String(useragentPort), 'AH00980')
  attribute('AJP_LOCAL_ADDR', connection.localAddress, 'AH02646')
  for (const [name, value] of env) {
    if (name.startsWith(PREFIX)) attribute(name.slice(PREFIX.length), value, 'AH00981')
  }
}
