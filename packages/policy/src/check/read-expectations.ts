import { isIP } from 'node:net'
import type { Place } from '../explanation.ts'
import { type Credentials, readQuestionUrl } from '../question.ts'
import { type Expectation, type ExpectedRequest, HTTPS_PORT, STRANGER } from './expectation.ts'
import { expectationWords } from './expectation-words.ts'

/** A line that is not an expectation. */
export interface ExpectationMistake {
  readonly place: Place
  readonly message: string
  /** The solution. */
  readonly hint: string
}

/**
 * Reads an expectations file: every line is an expectation, a comment, blank, or a mistake.
 * @param file its name, for places
 * @param text one character for each byte
 */
export function readExpectations(
  file: string,
  text: string,
): { readonly expectations: readonly Expectation[]; readonly mistakes: readonly ExpectationMistake[] } {
  const expectations: Expectation[] = []
  const mistakes: ExpectationMistake[] = []
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const place = { file, line: index + 1 }
    const words = expectationWords(line)
    if (typeof words === 'string') {
      mistakes.push({
        place,
        message: words,
        hint: 'enclose a word with blanks in quotation marks; write \\" for a quotation mark in it',
      })
      continue
    }
    if (words.length === 0) continue
    const read = readLine(place, words)
    if ('message' in read) mistakes.push({ place, ...read })
    else expectations.push(read)
  }
  return { expectations, mistakes }
}

type Complaint = Omit<ExpectationMistake, 'place'>

const FORM = 'write [METHOD] /path [from ADDRESS] [as USER] -> STATUS, for example: GET /admin/ from 10.1.2.3 as alice -> 200'

function readLine(place: Place, words: readonly string[]): Expectation | Complaint {
  const arrow = words.indexOf('->')
  if (arrow < 0) return { message: 'no -> followed by an answer', hint: FORM }
  const request = readRequest(words.slice(0, arrow))
  if ('message' in request) return request
  const [statusWord, location = null, ...surplus] = words.slice(arrow + 1)
  if (statusWord === undefined) return { message: 'nothing follows ->', hint: 'name a status: -> 403' }
  const statuses = statusWord.toLowerCase().split('|')
  const wrong = statuses.find((status) => !/^[1-5](?:\d\d|xx)$/.test(status))
  if (wrong !== undefined)
    return { message: `'${wrong}' is not a status`, hint: 'write 403, several as 200|304, or a class as 4xx' }
  if (location !== null && !/^(?:\/|[a-z][a-z0-9+.-]*:)/i.test(location))
    return {
      message: `'${location}' is not a Location`,
      hint: 'write an absolute URL, or a path that begins with /, after the status',
    }
  if (surplus.length > 0) return { message: `'${surplus[0]}' follows the answer`, hint: `${FORM}; a comment begins with #` }
  return { place, request, statuses, location }
}

function readRequest(words: readonly string[]): ExpectedRequest | Complaint {
  const rest = [...words]
  const method = /^[A-Z][A-Z-]*$/.test(rest[0] ?? '') ? (rest.shift() ?? '') : 'GET'
  const url = rest.shift()
  if (url === undefined) return { message: `no path to request`, hint: FORM }
  const where = readQuestionUrl(url)
  if (typeof where === 'string') return { message: where, hint: 'write methods in capitals, and a blank in a path as %20' }
  const draft: Draft = {
    host: where.host,
    port: where.localPort,
    isPortWritten: where.isPortWritten,
    client: STRANGER,
    credentials: null,
    headers: [],
  }
  while (rest.length > 0) {
    const [word = '', ...following] = rest
    const clause = Object.hasOwn(CLAUSES, word) ? CLAUSES[word] : undefined
    if (clause === undefined)
      return { message: `'${word}' is not understood`, hint: `write one of ${Object.keys(CLAUSES).join(', ')} and ->` }
    const taken = clause(draft, following)
    if (typeof taken !== 'number') return taken
    rest.splice(0, 1 + taken)
  }
  return { method, target: where.target, ...draft }
}

/** Collects the words of a request. */
interface Draft {
  host: string
  port: number | null
  isPortWritten: boolean
  client: string
  credentials: Credentials | null
  headers: readonly (readonly [string, string])[]
}

/**
 * The clauses that can follow the path. Each reads the words that follow it, and returns how many of them it
 * used.
 */
const CLAUSES: Readonly<Record<string, (draft: Draft, following: readonly string[]) => number | Complaint>> = {
  from: (draft, [address = '']) => {
    if (isIP(address) === 0)
      return { message: `'${address}' is not an IP address`, hint: 'write from 10.1.2.3 or from 2001:db8::1' }
    draft.client = address
    return 1
  },
  as: (draft, [user]) => {
    if (user === undefined || user.includes(':'))
      return { message: 'no user name after as', hint: 'write as alice, or as alice password secret' }
    draft.credentials = { user, password: null }
    return 1
  },
  password: (draft, [password]) => {
    if (draft.credentials === null || password === undefined)
      return {
        message: 'a password requires a user',
        hint: 'write as alice password secret; without a password, the correct one is assumed',
      }
    draft.credentials = { user: draft.credentials.user, password }
    return 1
  },
  host: (draft, [host = '']) => {
    const parsed = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(host)
    if (parsed === null)
      return { message: `'${host}' is not a host`, hint: 'write host www.example.org, followed by :8080 for a port' }
    draft.host = host
    if (parsed[1] !== undefined) {
      draft.port = Number(parsed[1])
      draft.isPortWritten = true
    }
    return 1
  },
  header: (draft, [field = '']) => {
    const parsed = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n]*?)[ \t]*$/.exec(field)
    if (parsed === null) return { message: `'${field}' is not a header field`, hint: 'write header "Name: value"' }
    draft.headers = [...draft.headers, [parsed[1], parsed[2]]]
    return 1
  },
  https: (draft) => {
    draft.port = HTTPS_PORT
    draft.isPortWritten = true
    return 0
  },
}
