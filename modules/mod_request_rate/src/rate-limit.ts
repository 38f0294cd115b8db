import type { Command, Text } from '@gatewright/api'
import { saltOf } from './rate-table.ts'

/** What a rate counts by: the client's address, the user, or the value of an expression. */
export type RateKey = { readonly kind: 'client' } | { readonly kind: 'user' } | { readonly kind: 'text'; readonly text: Text }

/** What happens to a request if the cache of all machines does not answer: this machine's own counts decide, or it is refused. */
export type Sharing = 'local' | 'strict'

/** One RequestRate line. */
export interface RateLimit {
  /** Distinguishes it from other lines; lines with the same name and rate share their counts. */
  readonly salt: number
  /** As written. */
  readonly shown: string
  readonly file: string
  readonly line: number
  /** Milliseconds that one request takes at the rate. */
  readonly cost: number
  /** Milliseconds that a client may be ahead. */
  readonly ahead: number
  readonly key: RateKey
  /** Whether the user must be known first. */
  readonly isLate: boolean
  /** null if each machine counts by itself. */
  readonly sharing: Sharing | null
  /** The number of its counters. */
  index: number
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
])
const SHARING: ReadonlyMap<string, Sharing> = new Map([
  ['shared', 'local'],
  ['shared=strict', 'strict'],
])
const SYNTAX = 'RequestRate needs a rate such as 10r/s, 100r/m, 1000r/h or 5000r/d'
/** A longer time to pay for a burst is longer than a day's restart. */
const LONGEST = 7 * 86_400_000

/** Reads the words of RequestRate. @returns what is wrong with them as a text */
export function readRate(words: readonly string[], command: Command): RateLimit | string {
  const [, count = '', unit = ''] = /^(\d{1,7})r\/([smhd])$/i.exec(words[0] ?? '') ?? []
  const period = UNITS.get(unit.toLowerCase())
  if (period === undefined || Number(count) === 0) return `${SYNTAX}, or off; not '${words[0] ?? ''}'`
  const cost = period / Number(count)
  let burst = 0
  let name: string | null = null
  let key: RateKey = { kind: 'client' }
  let source = ''
  let sharing: Sharing | null = null
  for (const word of words.slice(1)) {
    const shared = SHARING.get(word.toLowerCase())
    if (shared !== undefined) {
      sharing = shared
      continue
    }
    const equals = word.indexOf('=')
    const value = word.slice(equals + 1)
    switch (word.slice(0, Math.max(equals, 0)).toLowerCase()) {
      case 'burst':
        if (!/^\d{1,7}$/.test(value)) return `RequestRate: burst=${value} is not a number of requests`
        burst = Number(value)
        break
      case 'name':
        if (!/^[\w.:-]+$/.test(value)) return `RequestRate: name=${value} is not a word`
        name = value
        break
      case 'key': {
        source = value
        const read = readKey(value, command)
        if (typeof read === 'string') return read
        key = read
        break
      }
      default:
        return `RequestRate: '${word}' is not burst=NUMBER, key=client, key=user, key=EXPRESSION, name=WORD, shared or shared=strict`
    }
  }
  if (burst * cost > LONGEST) return `RequestRate: a burst of ${burst} takes longer than a week at ${words[0]}`
  const { file, line } = command
  const shown = words.join(' ')
  return {
    salt: saltOf(name === null ? `${file}:${line}:${shown}` : `${name}:${cost}`),
    shown,
    file,
    line,
    cost,
    ahead: burst * cost,
    key,
    sharing,
    isLate: key.kind === 'user' || /REMOTE_USER|AUTH_TYPE/i.test(source),
    index: -1,
  }
}

function readKey(value: string, command: Command): RateKey | string {
  const word = value.toLowerCase()
  if (word === 'client' || word === 'user') return { kind: word }
  const text = command.services.text(value, command)
  if ('error' in text) return `RequestRate: cannot parse expression '${value}': ${text.error}`
  return { kind: 'text', text }
}
