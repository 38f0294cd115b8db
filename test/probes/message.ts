import type { AnswerPattern, Outcome } from './probe.ts'

/** A request of HTTP/1.1 with its Host field. */
export function request(methodAndTarget: string, ...fields: readonly string[]): string {
  return bare(`${methodAndTarget} HTTP/1.1`, 'Host: localhost', ...fields)
}

/** A request with exactly these lines. */
export function bare(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`
}

/** A request with a body in these chunks; without the last one unless it is among them. */
export function chunked(...body: readonly string[]): string {
  return request('POST /letters.txt', 'Transfer-Encoding: chunked') + body.join('')
}

/** A small file on all servers. */
export const LETTERS = '/letters.txt'
export const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/** The request was understood: it is served, or refused for what it asks and not for how it is written. */
export const UNDERSTOOD: AnswerPattern = { status: ['2xx', 403, 404, 405, 411] }

/** The file is sent, and the connection can be used again. */
export const SERVED: readonly Outcome[] = [{ answers: [{ status: [200], body: ALPHABET }], fate: 'open' }]

/** The body was found out right: the request behind it is answered. */
export const FRAMED: readonly Outcome[] = [{ answers: [UNDERSTOOD], fate: 'open' }]

/** Exactly 400 (Bad Request); the server may keep or close the connection. */
export const BAD_REQUEST: readonly Outcome[] = [{ answers: [{ status: [400] }] }]

/** 400 (Bad Request), and the connection ends. */
export const BAD_AND_CLOSED: readonly Outcome[] = [{ answers: [{ status: [400] }], fate: 'closed' }]

/** Nothing is served; the connection is closed, with or without an error response. */
export const REJECTED: readonly Outcome[] = [
  { answers: [{ status: ['4xx', '5xx'] }], fate: 'closed' },
  { answers: [], fate: 'closed' },
]
