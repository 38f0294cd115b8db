import { isIPv4, isIPv6 } from 'node:net'

/** The client in a PROXY header. */
export interface ProxiedClient {
  readonly address: string
  readonly port: number
}

/** Why there is no valid header. A connection without any header is not an error of the proxy. */
export interface HeaderFault {
  readonly kind: 'fault'
  readonly level: 'error' | 'info'
  readonly code: string
  readonly text: string
}

/**
 * The result of parsing the first bytes of a connection: more bytes are required, the header is invalid, or
 * it is valid and has `length` bytes. The client is null if the connection is the proxy's own.
 */
export type ProxyHeader =
  | { readonly kind: 'more' }
  | HeaderFault
  | { readonly kind: 'header'; readonly length: number; readonly client: ProxiedClient | null }

const MORE: ProxyHeader = { kind: 'more' }
const MISSING: ProxyHeader = {
  kind: 'fault',
  level: 'info',
  code: 'AH03496',
  text: 'RemoteIPProxyProtocol data is missing, but required! Aborting request.',
}

/** Signatures of the PROXY protocol, sections 2.1 and 2.2. */
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const PREFIX = Buffer.from('PROXY ', 'latin1')
/** The longest line of version 1 including its end, plus one byte, as httpd counts. */
const MAX_LINE = 108
/** Length of the fixed part of version 2. */
const FIXED = 16

/** Parses the header at the beginning of a connection. */
export function readProxyHeader(input: Uint8Array): ProxyHeader {
  const bytes = Buffer.from(input.buffer, input.byteOffset, input.byteLength)
  if (beginsLike(bytes, PREFIX)) return bytes.length < PREFIX.length ? MORE : readLine(bytes)
  if (beginsLike(bytes, SIGNATURE)) return bytes.length < FIXED ? MORE : readBinary(bytes)
  return MISSING
}

/** Whether the bytes are a prefix of the pattern, or begin with it. */
function beginsLike(bytes: Buffer, pattern: Buffer): boolean {
  const common = Math.min(bytes.length, pattern.length)
  return bytes.compare(pattern, 0, common, 0, common) === 0
}

/** Version 1: `PROXY TCP4 CLIENT SERVER CLIENT-PORT SERVER-PORT`, or `PROXY UNKNOWN` followed by anything. */
function readLine(bytes: Buffer): ProxyHeader {
  const end = bytes.indexOf('\r\n', 0, 'latin1')
  if (end < 0 && bytes.length < MAX_LINE) return MORE
  const length = end < 0 ? bytes.length : end + 2
  if (length > MAX_LINE) {
    // httpd begins to count after the shortest possible line.
    const text = `RemoteIPProxyProtocol header too long, got ${length - 15} expected ${MAX_LINE - 15}`
    return { kind: 'fault', level: 'error', code: 'AH10185', text }
  }
  const line = bytes.toString('latin1', 0, end)
  const [, family, address, destination, port] = line.split(' ').filter((word) => word !== '')
  const missing = (what: string): HeaderFault => fault('AH03497', `no ${what} found in header '${line}'`)
  if (family === undefined) return missing('family')
  if (family === 'UNKNOWN') return { kind: 'header', length, client: null }
  if (family !== 'TCP4' && family !== 'TCP6') return fault('AH03499', `unknown family '${family}' in header '${line}'`)
  if (address === undefined) return missing('client-address')
  const allowed = family === 'TCP4' ? /^[0-9.]*$/ : /^[0-9a-fA-F:.]*$/
  if (!allowed.test(address)) return fault('AH03500', `invalid client-address '${address}' found in header '${line}'`)
  if (destination === undefined) return missing('destination-address')
  if (port === undefined) return missing('client-port')
  const number = Number.parseInt(port, 10)
  if (!(number >= 0 && number <= 65535)) return fault('AH03501', `error parsing port '${port}' in header '${line}'`)
  if (family === 'TCP4' ? !isIPv4(address) : !isIPv6(address)) {
    const shown = `family '${family === 'TCP4' ? 2 : 10}', host '${address}', and port '${number}'`
    return fault('AH03502', `error converting ${shown} to sockaddr; header was '${line}'`)
  }
  return { kind: 'header', length, client: { address: address.toLowerCase(), port: number } }
}

const LOCAL = 0
const PROXY = 1
const TCP4 = 0x11
const TCP6 = 0x21

/** Version 2, binary. Anything after the addresses is ignored. */
function readBinary(bytes: Buffer): ProxyHeader {
  if (bytes[12] >> 4 !== 2) return MISSING
  const size = bytes.readUInt16BE(14)
  const length = FIXED + size
  if (length > MAX_BINARY) return fault('AH10186', 'protocol header length too long')
  if (bytes.length < length) return MORE
  const command = bytes[12] & 15
  if (command === LOCAL) return { kind: 'header', length, client: null }
  if (command !== PROXY) return fault('AH03507', `unsupported command ${hex(bytes[12])}`)
  const family = bytes[13]
  if (family === TCP4) {
    if (size < 12) return fault('AH10597', `address length ${size} too short for TCPv4`)
    const address = bytes.subarray(FIXED, FIXED + 4).join('.')
    return { kind: 'header', length, client: { address, port: bytes.readUInt16BE(FIXED + 8) } }
  }
  if (family === TCP6) {
    if (size < 36) return fault('AH10598', `address length ${size} too short for TCPv6`)
    return { kind: 'header', length, client: { address: ipv6Text(bytes), port: bytes.readUInt16BE(FIXED + 32) } }
  }
  return fault('AH10183', `unsupported protocol ${hex(family)}`)
}

/** The limit leaves space for addresses of any family and for options. */
const MAX_BINARY = FIXED + 2048

function ipv6Text(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(FIXED + 2 * index).toString(16))
  const address = new URL(`http://[${groups.join(':')}]/`).hostname.slice(1, -1)
  const mapped = groups.slice(0, 5).every((group) => group === '0') && groups[5] === 'ffff'
  return mapped ? bytes.subarray(FIXED + 12, FIXED + 16).join('.') : address
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

function fault(code: string, text: string): HeaderFault {
  return { kind: 'fault', level: 'error', code, text: `RemoteIPProxyProtocol${code === 'AH10186' ? '' : ':'} ${text}` }
}
