import type { Exchanged } from './exchange.ts'

/** Fields that depend on the time, the machine or the name of the server. */
const NOT_COMPARED = new Set(['date', 'server', 'keep-alive'])
/** Fields with seconds that may have passed between the two answers. */
const TIMED = new Set(['expires', 'cache-control', 'age'])
const MOST_SECONDS = 3

/**
 * What differs between two answers, one line each; none if they mean the same.
 * @param hasChosenLength whether the program behind decides by its speed whether the length is stated
 */
export function differences(theirs: Exchanged | null, ours: Exchanged | null, hasChosenLength: boolean): string[] {
  // Some responses of programs make httpd close the connection in the middle of a head.
  if (theirs === null) return []
  // A cache of httpd can lose the body of what it confirms, for which it states no length but 0.
  if (
    theirs.body === '' &&
    ours?.body !== '' &&
    theirs.fields.some(([name, value]) => name === 'X-Cache' && !value.startsWith('MISS'))
  )
    return []
  if (ours === null) return [`answer: ${theirs.status} | none`]
  const found: string[] = []
  if (theirs.status !== ours.status) found.push(`status: ${theirs.status} | ${ours.status}`)
  const [a, b] = [comparable(theirs, hasChosenLength), comparable(ours, hasChosenLength)]
  const length = Math.max(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [a[at], b[at]]
    if (one !== undefined && other !== undefined && sameField(one, other)) continue
    found.push(`fields:\n        ${a.join('\n        ')}\n      ours:\n        ${b.join('\n        ')}`)
    break
  }
  const [x, y] = [bodyOf(theirs), bodyOf(ours)]
  if (x !== y) found.push(`body: ${firstDifference(x, y)}`)
  return found
}

function comparable({ fields, body }: Exchanged, hasChosenLength: boolean): string[] {
  // How well a body is compressed is not compared.
  const isCoded =
    body.startsWith('[gzip]') || body.startsWith('[br]') || builtInPage(body) !== null || /<address>.* Server at/.test(body)
  // Parts of a multipart body are separated by a line of the server's choice.
  const left = hasChosenLength ? fields.filter(([name]) => !/^(content-length|transfer-encoding)$/i.test(name)) : fields
  const shown = left
    .filter(([name]) => !NOT_COMPARED.has(name.toLowerCase()) && !(isCoded && name.toLowerCase() === 'content-length'))
    .map(([name, value]): [string, string] => [name, name === 'Allow' ? value.split(/, ?/).sort().join() : value])
    .map(
      ([name, value]) =>
        `${name}: ${value
          .replace(/boundary=\S+/, 'boundary=B')
          .replace(/\b[\da-f]{1,8}\.[\da-f]{12,14}\b/g, 'NUMBER')
          .replace(/(expires=\w+, \S+) [\d:]+/, '$1 TIME')
          .replace(/\b([tD])=\d+/g, '$1=N')
          .replace(/\bl=[\d.]+/g, 'l=N')}`,
    )
  // The order of fields with different names has no meaning, and is not the same everywhere.
  return shown.sort((one, other) => (nameOf(one) < nameOf(other) ? -1 : nameOf(one) > nameOf(other) ? 1 : 0))
}

function nameOf(field: string): string {
  return field.slice(0, field.indexOf(':')).toLowerCase()
}

function sameField(one: string, other: string): boolean {
  if (one === other) return true
  const name = nameOf(one)
  // docs/differences.md: httpd leaves out the end of the tag of a negotiated response.
  if (name === 'etag' && one.includes(';') && other.startsWith(one) && other.length - one.length <= 3) return true
  if (!TIMED.has(name)) return false
  if (name === 'expires') return Math.abs(Date.parse(one.slice(9)) - Date.parse(other.slice(9))) <= MOST_SECONDS * 1000
  const [a, b] = [numbers(one), numbers(other)]
  if (one.replace(/\d+/g, 'N') !== other.replace(/\d+/g, 'N')) return false
  return a.every((value, at) => Math.abs(value - (b[at] ?? 0)) <= MOST_SECONDS)
}

function numbers(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number)
}

function bodyOf({ body, fields }: Exchanged): string {
  const boundary = fields
    .map(([, value]) => /multipart\/byteranges; boundary=(\S+)/.exec(value)?.[1])
    .find((text) => text !== undefined)
  const text = boundary === undefined ? body : body.replaceAll(boundary, 'B')
  if (text.includes('Server Status for') || text.includes('<title>Apache Status</title>')) return 'a status page'
  const page = builtInPage(text)
  if (page !== null) return page
  return text.replace(/(Apache|Gatewright)(\/[\d.]+)?( \([^)]*\))? Server at/g, 'SERVER at')
}

/** The title of a page that the server has for a status, whose words are its own; null of anything else. */
function builtInPage(body: string): string | null {
  const coding = /^\[(gzip|br)\]/.exec(body)?.[0] ?? ''
  const page = body.slice(coding.length)
  const isTheirs = page.startsWith('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"')
  const isOurs = page.startsWith('<!DOCTYPE html>') && page.includes('<style>:root{color-scheme:light dark')
  const title = /<title>(\d{3} [^<]*)<\/title>/.exec(page)?.[1]
  if (title === undefined || !(isTheirs || isOurs)) return null
  return `${coding}built-in page ${title}${/<address>/.test(page) ? ' with a signature' : ''}`
}

function firstDifference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const from = Math.max(0, at - 60)
  return `at ${at}: ${JSON.stringify(one.slice(from, at + 160))}\n            | ${JSON.stringify(other.slice(from, at + 160))}`
}

/** What differs between the lines that were logged about a request. */
export function differentLines(theirs: readonly string[], ours: readonly string[]): string[] {
  const [a, b] = [theirs.map(plain), ours.map(plain)]
  return a.join('\n') === b.join('\n')
    ? []
    : [`log:\n        ${a.join('\n        ')}\n      ours:\n        ${b.join('\n        ')}`]
}

function plain(line: string): string {
  return line
    .replace(/\(\d+\)/g, '(N)')
    .replace(/(oracle-expr-\w+)\/(httpd|gatewright)\//, '$1/SERVER/')
    .replace(/127\.0\.0\.\d+:\d+/g, 'ADDRESS')
}
