// The observable behaviour of a server for one request, in comparable form, and the differences between two
// servers.
import { passOverPages } from '../conformance/lib/pages.mjs'

/** Header fields that are not compared: times, and the server's description of itself. */
const PASSED_OVER = new Set(['date', 'server'])

/**
 * Everything that is known of each request of a host: a list of `{ line, headers, body, access, error }`.
 * @param answers as askAll gives them
 * @param logs as readLogs gives them
 */
export function observed(answers, logs) {
  return answers.map(({ response, port, id }) => ({
    ...(response.failure === undefined
      ? responseFacts(response)
      : { line: response.failure, headers: {}, body: '', isMissing: true }),
    access: logs.access(id, port),
    error: logs.error(id, port),
  }))
}

function responseFacts({ line, headers, body }) {
  const fields = {}
  for (const [name, value] of headers) {
    const key = name.toLowerCase()
    if (!PASSED_OVER.has(key))
      fields[key] = key in fields ? `${fields[key]} || ${comparable(key, value)}` : comparable(key, value)
  }
  const boundary = /boundary=(\w+)/.exec(fields['content-type'] ?? '')?.[1]
  const unbounded = (value) => (boundary === undefined ? value : value.replaceAll(boundary, 'BOUNDARY'))
  if (boundary !== undefined) {
    fields['content-type'] = unbounded(fields['content-type'])
    // The boundary of httpd has 15 or 16 characters.
    delete fields['content-length']
  }
  const { headers: kept = {}, body: text = '' } = passOverPages({
    line,
    headers: fields,
    body: unbounded(body.toString('latin1')),
  })
  return isPartOfPage(line, kept, text) ? withoutPart(line, kept) : { line, headers: kept, body: text }
}

/** The type of built-in pages; files, listings and type maps of the worlds have other types. */
const PAGE_TYPE = 'text/html; charset=iso-8859-1'

/** True for ranges of a built-in page, which `[R=200]` of mod_rewrite makes: the wording of pages differs, and so does their length. */
function isPartOfPage(line, headers, body) {
  if (!/^HTTP\/1\.\d 206 /.test(line) || 'etag' in headers || 'last-modified' in headers) return false
  const type = headers['content-type'] ?? ''
  return type === PAGE_TYPE || (type.startsWith('multipart/') && body.toLowerCase().includes(`content-type: ${PAGE_TYPE}`))
}

function withoutPart(line, headers) {
  const { 'content-range': _range, 'content-length': _length, ...kept } = headers
  return { line, headers: kept, body: '(part of a built-in page)' }
}

function comparable(key, value) {
  // The order of methods depends on a hash table in httpd.
  if (key === 'allow') return value.split(/, */).sort().join(',')
  return key === 'expires' ? 'TIME' : value
}

/** Lines of one request beyond which the rest does not matter. */
const MOST_LINES = 100

/**
 * The lines of both logs by request: by the number in a field of the request, or, where that could not be read, by the port of the client.
 * Lines of the error log become `module:level AHnnnnn`, sorted.
 */
export function readLogs({ access, error }) {
  const accessLines = new Map()
  const errorLines = new Map()
  const add = (map, key, line) => {
    const lines = map.get(key)
    if (lines === undefined) map.set(key, [line])
    else if (lines.length < MOST_LINES) lines.push(line)
  }
  for (const line of linesOf(access)) {
    const [id, port, ...rest] = line.split('|')
    add(accessLines, id === '-' ? `port ${port}` : id, rest.join('|'))
  }
  for (const line of linesOf(error)) {
    const [id, client, source, ...rest] = line.split('|')
    const port = /:(\d+)$/.exec(client ?? '')?.[1]
    const message = rest.join('|')
    const code = /\bAH\d{5}\b/.exec(message)?.[0] ?? withoutBase(message).slice(0, 60)
    if (port !== undefined) add(errorLines, id === '-' || id === '' ? `port ${port}` : id, `${source} ${code}`)
  }
  const lookUp = (map) => (id, port) => [...(map.get(String(id)) ?? []), ...(map.get(`port ${port}`) ?? [])]
  return { access: lookUp(accessLines), error: (id, port) => lookUp(errorLines)(id, port).sort() }
}

/** The folder of a world has another name in every run, and a difference is searched in many runs. */
function withoutBase(message) {
  return message.replaceAll(/\/\S*?\/doors-\w+\//g, '/')
}

/** The lines of a log that are not empty. */
export function* linesOf(log) {
  for (let start = 0; start < log.length; ) {
    const end = log.indexOf(10, start)
    const line = log.latin1Slice(start, end < 0 ? log.length : end)
    if (line !== '') yield line
    if (end < 0) return
    start = end + 1
  }
}

/** The fields in which two observations differ: a list of `{ field, expected, got }`. */
export function differencesOf(expected, got) {
  const out = []
  const add = (field, wanted, found) => {
    if (wanted !== found) out.push({ field, expected: wanted, got: found })
  }
  add('status', expected.line, got.line)
  for (const name of new Set([...Object.keys(expected.headers), ...Object.keys(got.headers)]))
    add(`field ${name}`, expected.headers[name], got.headers[name])
  add('body', expected.body, got.body)
  add('access log', expected.access.join('\n'), got.access.join('\n'))
  add('error log', expected.error.join(', '), got.error.join(', '))
  return out
}

/** What kind of difference it is, for telling whether two are of the same cause: fields, and the values of those that have few. */
export function kindOf(differences) {
  const [first] = differences
  const others = differences.map(({ field }) => field).join('+')
  if (first.field === 'status') return `status ${statusOf(first.expected)} ${statusOf(first.got)}`
  if (first.field === 'error log') return `error log ${first.expected} | ${first.got}`
  if (first.field === 'access log') return `access log ${others}`
  return others
}

function statusOf(line) {
  return line.split(' ')[1] ?? line
}
