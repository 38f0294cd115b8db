import type { Page } from './browser.ts'

/** Fields that name the server or the moment, or belong to the connection. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'date',
  'server',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
])

/** What varies from run to run. */
const MASKS: readonly (readonly [RegExp, string])[] = [
  [/[A-Z][a-z]{2}, \d\d[ -][A-Z][a-z]{2}[ -]\d{4} \d\d:\d\d:\d\d (?:GMT|\+0000)/g, 'DATE'],
  // In JSON, a slash may have a backslash.
  [/\b\d{4}(?:[-/]|\\\/)\d\d(?:[-/]|\\\/)\d\d(?:[ T]|%20|\+)\d\d(?::|%3A)\d\d(?:(?::|%3A)\d\d)?(?:\+00:00|Z)?/g, 'DATE'],
  [/\b\d{4}(?:[-/]|\\\/)\d\d(?:[-/]|\\\/)\d\d\b/g, 'DAY'],
  [/\b[0-9a-f]{32,128}\b/g, 'HEX'],
  [/\b1[789]\d{8}(?:\.\d+)?\b/g, 'TIME'],
]

/**
 * What is different between two responses: status, fields and the first line of the body.
 * @param masks what else varies
 * @returns null if nothing is
 */
export function difference(expected: Page, got: Page, masks: readonly (readonly [RegExp, string])[] = []): string | null {
  const mask = (text: string): string =>
    [...masks, ...MASKS].reduce((masked, [pattern, name]) => masked.replace(pattern, name), text)
  if (expected.status !== got.status) return `status ${got.status}, httpd ${expected.status}`
  const names = new Set([...Object.keys(expected.fields), ...Object.keys(got.fields)])
  for (const name of names) {
    if (OWN_FIELDS.has(name)) continue
    const [theirs, ours] = [expected, got].map(({ fields }) => mask(compared(fields[name], name)))
    if (theirs !== ours) return `field ${name}: ${ours}, httpd ${theirs}`
  }
  if (isBuiltIn(expected) && isBuiltIn(got)) return null
  const theirs = mask(expected.body).split('\n')
  const ours = mask(got.body).split('\n')
  const line = theirs.findIndex((text, index) => text !== ours[index])
  if (line >= 0)
    return `line ${line + 1} of the body: ${shown(ours[line] ?? '', theirs[line])}, httpd ${shown(theirs[line], ours[line] ?? '')}`
  return ours.length === theirs.length ? null : `${ours.length} lines of the body, httpd ${theirs.length}`
}

/** Whether the server has made the page of an error or a redirect, in its own words. */
function isBuiltIn({ status, body }: Page): boolean {
  return body.includes(`<title>${status} `)
}

/** The values of cookies are secrets of a session; validators of files contain their times. */
function compared(value: string | readonly string[] | undefined, name: string): string {
  if (value === undefined) return '(none)'
  if (typeof value === 'string') return name === 'etag' ? value.replace(/"[^"]*"/, '"..."') : value
  return value.map((line) => line.replace(/^([^=]*)=[^;]*/, '$1=...')).join(' | ')
}

/** A text from shortly before where another one is different. */
function shown(text: string, other: string): string {
  let at = 0
  while (at < text.length && text[at] === other[at]) at++
  return `"${text.slice(Math.max(0, at - 40), at + 80)}"`
}
