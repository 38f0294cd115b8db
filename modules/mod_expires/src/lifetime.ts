/** How long a response may be cached. */
export interface Lifetime {
  /** Whether the lifetime begins when the response is sent, or when its file was modified. */
  readonly base: 'access' | 'modification'
  readonly seconds: number
}

/** Units, by the leading letters that httpd compares, and their seconds. */
const UNITS: readonly (readonly [letters: string, seconds: number])[] = [
  ['y', 365 * 86_400],
  ['mo', 30 * 86_400],
  ['w', 7 * 86_400],
  ['d', 86_400],
  ['h', 3600],
  ['mi', 60],
  ['s', 1],
]

/**
 * Parses `A60`, `M60` or `access [plus] 1 day 2 hours ...`. As httpd compares only the first letter or two of
 * a word, `now`, `never` and `acc` are all valid; a text that begins with a capital A or M is always the
 * short form.
 * @returns an error text if it is neither
 */
export function parseLifetime(code: string): Lifetime | string {
  const short = /^([AM])\s*([+-]?\d+)?/.exec(code)
  if (short !== null) return { base: short[1] === 'A' ? 'access' : 'modification', seconds: bounded(Number(short[2] ?? 0)) }
  const words = code.split(/\s+/).filter((word) => word !== '')
  const [first = ''] = words
  const base = baseOf(first)
  if (base === undefined) return `bad expires code, unrecognised <base> '${first}'`
  let at = words[1]?.toLowerCase().startsWith('p') === true ? 2 : 1
  let seconds = 0
  for (; at < words.length; at += 2) {
    const [number, unit] = words.slice(at, at + 2)
    if (!/^\d/.test(number)) return `bad expires code, numeric value expected <num> '${number}'`
    if (unit === undefined) return 'bad expires code, missing <type>'
    const length = secondsOf(unit)
    if (length === undefined) return `bad expires code, unrecognised <type>'${unit}'`
    seconds += length * Number.parseInt(number, 10)
  }
  return { base, seconds: bounded(seconds) }
}

function baseOf(word: string): Lifetime['base'] | undefined {
  switch (word[0]?.toLowerCase()) {
    case 'n':
    case 'a':
      return 'access'
    case 'm':
      return 'modification'
    default:
      return undefined
  }
}

function secondsOf(unit: string): number | undefined {
  const lower = unit.toLowerCase()
  return UNITS.find(([letters]) => lower.startsWith(letters))?.[1]
}

/** Limits a number of seconds to httpd's range, 68 years, so that the resulting date is valid. */
function bounded(seconds: number): number {
  return Math.min(Math.max(seconds, -0x8000_0000), 0x7fff_ffff)
}
