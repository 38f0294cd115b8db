import { createHash, randomBytes } from 'node:crypto'

/**
 * What a CONNECT asks for: a WebSocket (RFC 8441; other protocols are refused like one), or bytes to and from the server that
 * it names (RFC 9113 section 8.5).
 */
export type TunnelKind = 'websocket' | 'connect'

/** The only protocol for which httpd and this server accept an extended CONNECT. */
export const WEB_SOCKET = 'websocket'

/** Fields of the handshake of HTTP/1.1 that an extended CONNECT has no use for (RFC 8441 section 5). */
const OF_HTTP_1: readonly string[] = ['connection', 'upgrade', 'sec-websocket-accept']

/** RFC 6455 section 1.3. */
const ACCEPT_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

/** A key for a handshake of HTTP/1.1, which clients of HTTP/2 do not need. */
export function newKey(): string {
  return randomBytes(16).toString('base64')
}

/** What is wrong with a response that should accept a WebSocket, in httpd's words. */
export interface TunnelFault {
  readonly code: string
  readonly fault: string
}

/**
 * The fields of the response that accepts an extended CONNECT.
 * @param opening the head of a response of HTTP/1.1 with status 101
 * @param key the value of Sec-WebSocket-Key that its server received
 * @returns lines, or why the response does not accept it
 */
export function tunnelHead(opening: string, key: string): string | TunnelFault {
  if (!/^HTTP\/1\.1 101[ \r]/.test(opening)) return { code: '', fault: 'got a response without a head' }
  const lines = opening.slice(opening.indexOf('\r\n') + 2).split('\r\n')
  const accepted = lines.find((line) => nameOf(line) === 'sec-websocket-accept')
  if (accepted === undefined) return { code: 'AH10462', fault: 'got 101 response without Sec-WebSocket-Accept header' }
  const expected = createHash('sha1')
    .update(key + ACCEPT_GUID)
    .digest('base64')
  if (accepted.slice(accepted.indexOf(':') + 1).trim() !== expected) {
    return { code: 'AH10463', fault: 'got 101 response with a Sec-WebSocket-Accept header that does not match the key' }
  }
  return keptOf(lines)
}

/**
 * The fields of the response that accepts a CONNECT without protocol.
 * @param opening the head of a response of HTTP/1.x with status 200
 * @returns lines, or why the response does not accept it
 */
export function connectHead(opening: string): string | TunnelFault {
  if (!/^HTTP\/1\.[01] 200[ \r]/.test(opening)) return { code: '', fault: 'got a response without a head' }
  return keptOf(opening.slice(opening.indexOf('\r\n') + 2).split('\r\n'))
}

function keptOf(lines: readonly string[]): string {
  return lines
    .filter((line) => line !== '' && !OF_HTTP_1.includes(nameOf(line)))
    .map((line) => `${line}\r\n`)
    .join('')
}

function nameOf(line: string): string {
  return line.slice(0, line.indexOf(':')).toLowerCase()
}
