const DAY = 86_400

/** Units by the beginning that httpd compares, in the order in which it does, in seconds. */
const UNITS: readonly (readonly [beginning: string, seconds: number])[] = [
  ['y', 365 * DAY],
  ['mo', 30 * DAY],
  ['w', 7 * DAY],
  ['d', DAY],
  ['h', 3600],
  ['mi', 60],
  ['s', 1],
]

/** Parses the argument of CookieExpires: a number of seconds, or `[plus] NUMBER UNIT ...`. @returns seconds, or an error text */
export function parseCookieLifetime(text: string): number | string {
  if (/^\d(?:.*\d)?$/s.test(text)) return Number.parseInt(text, 10)
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words[0]?.toLowerCase().startsWith('p') === true) words.shift()
  let seconds = 0
  for (let at = 0; at < words.length; at += 2) {
    if (!/^\d/.test(words[at])) return 'bad expires code, numeric value expected.'
    const unit = words.at(at + 1)?.toLowerCase()
    if (unit === undefined) return 'bad expires code, missing <type>'
    const factor = UNITS.find(([beginning]) => unit.startsWith(beginning))?.[1]
    if (factor === undefined) return 'bad expires code, unrecognized type'
    seconds += Number.parseInt(words[at], 10) * factor
  }
  return seconds
}
