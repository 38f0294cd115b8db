import type { ReadTimeLimit } from '@gatewright/api/peers'

const MIN_RATE = ',minrate='

/** Maximum time in seconds, 68 years: in effect no limit. */
const MOST_SECONDS = 0x7fff_ffff

/**
 * Parses `T`, `T-M,MinRate=R` or `T,MinRate=R`: seconds, and the number of bytes that extend the time by one
 * second. Errors are detected in httpd's order.
 * @returns an error text if it is none of them
 */
export function parseReadTime(text: string): ReadTimeLimit | string {
  const ratePlace = text.toLowerCase().indexOf(MIN_RATE)
  let times = text
  let rate = 0
  if (ratePlace >= 0) {
    const number = wholeNumber(text.slice(ratePlace + MIN_RATE.length))
    if (typeof number === 'string') return number
    if (number === 0) return 'Minimum data rate must be larger than 0'
    rate = number
    times = text.slice(0, ratePlace)
  }
  const dash = times.indexOf('-')
  if (dash >= 0 && rate === 0) return 'Must set MinRate option if using timeout range'
  const initial = wholeNumber(dash < 0 ? times : times.slice(0, dash))
  if (typeof initial === 'string') return initial
  const longest = dash < 0 ? 0 : wholeNumber(times.slice(dash + 1))
  if (typeof longest === 'string') return longest
  if (longest !== 0 && longest <= initial) return 'Maximum timeout must be larger than initial timeout'
  return { initial: initial * 1000, longest: longest * 1000, rate }
}

/** A number of at least 0, or an error text. */
function wholeNumber(text: string): number | string {
  const number = /^\s*[+-]?\d+/.exec(text)
  if (number === null) return `Value '${text}' not numerical`
  const rest = text.slice(number[0].length)
  if (rest !== '') return `Cannot parse '${rest}'`
  const value = Number(number[0])
  return value < 0 ? 'Value must be non-negative' : Math.min(value, MOST_SECONDS)
}
