import { findInvalidLine } from './own-fields.ts'

/**
 * Fields that a trailer section must not have (RFC 9110, section 6.5.1), because a recipient needs them
 * before the body: framing, routing, access control and the form of the content.
 */
const NOT_IN_TRAILERS: ReadonlySet<string> = new Set([
  'authorization',
  'cache-control',
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'expires',
  'host',
  'keep-alive',
  'location',
  'proxy-authenticate',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
])

/**
 * The trailer fields of a stream as lines, without those that are not allowed there.
 * @throws if one is not valid as a field: then none may be sent
 */
export function sendableTrailers(fields: Iterable<readonly [name: string, value: string]>): string {
  let lines = ''
  for (const [name, value] of fields) {
    const invalid = findInvalidLine(name, value)
    if (invalid !== null) throw new Error(`the trailer fields were dropped: ${invalid.text}`)
    if (!NOT_IN_TRAILERS.has(name.toLowerCase())) lines += `${name}: ${value}\r\n`
  }
  return lines
}

/** The first value of a field in lines that `sendableTrailers` made; undefined if it is missing. */
export function valueInLines(lines: string, name: string): string | undefined {
  if (lines === '') return undefined
  const start = `${name.toLowerCase()}: `
  const line = lines.split('\r\n').find((one) => one.toLowerCase().startsWith(start))
  return line?.slice(start.length)
}
