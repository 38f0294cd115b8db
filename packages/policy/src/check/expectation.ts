import type { Place } from '../explanation.ts'
import type { Question } from '../question.ts'

/** A line of an expectations file: a request and its expected answer. */
export interface Expectation {
  readonly place: Place
  readonly request: ExpectedRequest
  /** `200`, or `4xx` for a whole class; the answer must match one of them. */
  readonly statuses: readonly string[]
  /** The required Location: an absolute URL, or a path on the requested host; null if it does not matter. */
  readonly location: string | null
}

/**
 * The request of an expectation; the server determines whatever the expectation does not specify about its
 * side.
 */
export interface ExpectedRequest extends Omit<Question, 'localAddress' | 'localPort'> {
  /** null: that of the server. */
  readonly port: number | null
  /** False for the port that merely belongs to a scheme. */
  readonly isPortWritten: boolean
}

/** The default client of a line: an unknown one (an address of RFC 5737). */
export const STRANGER = '192.0.2.1'

/** The port of `https` requests. */
export const HTTPS_PORT = 443

/** The default host of a line. */
export const ANY_HOST = 'localhost'

/** An expectation in its canonical notation. */
export function expectationText({ request, statuses, location }: Omit<Expectation, 'place'>): string {
  const answer = [statuses.join('|'), ...(location === null ? [] : [quoted(location)])]
  return [...requestWords(request), '->', ...answer].join(' ')
}

function requestWords({ method, target, client, credentials, host, port, headers }: ExpectedRequest): string[] {
  const words = [method, quoted(target)]
  if (client !== STRANGER) words.push('from', client)
  if (credentials !== null) words.push('as', quoted(credentials.user))
  if (credentials !== null && credentials.password !== null) words.push('password', quoted(credentials.password))
  if (port === HTTPS_PORT) words.push('https')
  if (host !== ANY_HOST) words.push('host', quoted(host))
  for (const [name, value] of headers) words.push('header', quoted(`${name}: ${value}`))
  return words
}

/** Adds quotes if the text would not be read as one word. */
function quoted(word: string): string {
  const plain = word !== '' && word !== '->' && !/[\s"]/.test(word) && !word.startsWith('#')
  return plain ? word : `"${word.replace(/["\\]/g, '\\$&')}"`
}
