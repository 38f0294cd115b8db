import { type Leniency, leniencyFor } from './leniencies.ts'
import type { Reading, ReadMessage } from './reading.ts'
import type { Strictness } from './strictness.ts'

export interface Comparison {
  /** Messages that both took. */
  readonly common: number
  /** An unexplained difference; null if there is none. */
  readonly divergence: Divergence | null
  /** The reason why a message that only we accept is not a divergence. */
  readonly leniency: Leniency | null
}

export interface Divergence {
  /** The difference, which is the same for streams with the same cause. */
  readonly what: string
  /** Number of the message. */
  readonly message: number
  readonly ours: string
  readonly theirs: string
}

/** What was read, and how. */
export interface Text {
  readonly text: string
  readonly strictness: Strictness
}

/**
 * We may reject what Node accepts. Messages that both accept must be the same; messages that only we accept
 * must be on the list of httpd's leniencies; if neither rejects, both must find the ends of messages at the
 * same bytes.
 */
export function compare(ours: Reading, theirs: Reading, { text: whole, strictness }: Text): Comparison {
  for (let i = 0; ; i++) {
    const our = ours.messages[i] as ReadMessage | undefined
    const their = theirs.messages[i] as ReadMessage | undefined
    const rest = whole.slice(i === 0 ? 0 : ours.messages[i - 1].end)
    // Where llhttp is lenient it may take that for the end of a line, and we wait for the rest of the line, as httpd does.
    const waitsBehindCr = strictness === 'Unsafe' && ours.fault === '' && CR_ALONE.test(rest)
    if (our === undefined) {
      // A last piece that neither has refused and both wait for the rest of, or one that we refused.
      return their === undefined || ours.fault !== '' || waitsBehindCr
        ? agreed(i)
        : differ(i, 'only Node sees a request', ours.fault, shown(their))
    }
    if (their === undefined || our.version === '0.9') {
      return lenient(i, our, theirs, rest, strictness) ?? differ(i, 'only we see a request', shown(our), theirs.fault)
    }
    for (const part of ['method', 'target', 'version', 'fields'] as const) {
      if (!same(our[part], their[part])) return differ(i, part, text(our[part]), text(their[part]))
    }
    const keptByUsAlone = our.persistent && !their.persistent
    if (keptByUsAlone && isPlainlyClosed(our)) return differ(i, 'persistence', 'kept', 'closed')
    if (our.end < 0) {
      // A parser that waits may still refuse.
      if (ours.fault !== '' || their.end < 0 || waitsBehindCr) return agreed(i)
      return differ(i, 'only Node sees the end of the body', text(our.body), text(their.body))
    }
    if (their.end < 0) {
      return (
        lenient(i, our, theirs, rest, strictness) ?? differ(i, 'only we see the end of the body', text(our.body), theirs.fault)
      )
    }
    for (const part of ['body', 'trailers', 'end'] as const) {
      if (!same(our[part], their[part])) return differ(i, part, text(our[part]), text(their[part]))
    }
    if (keptByUsAlone) return agreed(i + 1)
  }
}

const CR_ALONE = /\r(?!\n)/

/**
 * HTTP/2.0 and later, which httpd treats as HTTP/1.1, and Connection fields that are not lists of tokens
 * allow no statement.
 */
function isPlainlyClosed({ version, fields }: ReadMessage): boolean {
  const place = fields.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'connection')
  return version < '2' && (place < 0 || /^[\w-]+(?:[ \t]*,[ \t]*[\w-]+)*$/.test(fields[place + 1]))
}

function lenient(common: number, ours: ReadMessage, theirs: Reading, rest: string, strictness: Strictness): Comparison | null {
  const leniency = leniencyFor(ours, theirs.fault, rest, strictness)
  return leniency === null ? null : { common, divergence: null, leniency }
}

function agreed(common: number): Comparison {
  return { common, divergence: null, leniency: null }
}

function differ(message: number, what: string, ours: string, theirs: string): Comparison {
  return { common: message, divergence: { what, message, ours, theirs }, leniency: null }
}

function same(ours: string | number | readonly string[], theirs: string | number | readonly string[]): boolean {
  if (typeof ours !== 'object' || typeof theirs !== 'object') return ours === theirs
  return ours.length === theirs.length && ours.every((each, index) => each === theirs[index])
}

function text(part: string | number | readonly string[]): string {
  return JSON.stringify(part)
}

function shown({ method, target, fields }: ReadMessage): string {
  return `${method} ${target} ${text(fields)}`
}
