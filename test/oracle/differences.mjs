// Where two answers to the same policy differ.
import { differences } from '../conformance/lib/golden.mjs'

/**
 * Compares what two servers did with one policy: the check at start if there was one, each response, and the log lines of each client.
 * @returns a list of `{ where, request, field, expected, got }`; `where` names the part, `request` is the index of the request or -1
 */
export function differencesOf(expected, got) {
  if (expected.start !== undefined) return compare('start', -1, expected.start, got.start)
  return [
    ...expected.responses.flatMap((response, index) => compare(`request ${index + 1}`, index, response, got.responses[index])),
    ...expected.clients.flatMap((client, index) => compare(`log lines of ${client.from}`, -1, client, got.clients[index])),
  ]
}

/** What a difference is about, for telling whether two are of the same sort: status lines, codes of the log lines that differ, or the field. */
export function kindOf({ field, expected, got }) {
  if (field === 'line') return `${expected} | ${got}`
  if (!Array.isArray(expected) || !Array.isArray(got)) return field
  return `${field}: ${codes(expected, got)} | ${codes(got, expected)}`
}

function codes(lines, others) {
  const found = lines.filter((line) => !others.includes(line)).map((line) => /AH\d{5}|" \d{3}$/.exec(line)?.[0] ?? '-')
  return [...new Set(found)].sort().join(' ')
}

/** Depends on the server's load: httpd closes kept-alive connections if it has few free threads. */
const BY_CHANCE = new Set(['header connection', 'header keep-alive'])

function compare(where, request, expected, got) {
  const found = differences(expected, got).filter(([field]) => !BY_CHANCE.has(field))
  return found.map(([field, wanted, found]) => ({ where, request, field, expected: wanted, got: found }))
}
