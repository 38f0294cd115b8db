import { compileStrftime, type TimeFormatter } from '@gatewright/api/text'

/**
 * `Saturday, 21-Nov-2026 05:48:24 UTC`, in local time. Compiled once, because finding the name of a time zone
 * takes as long as the rest of a page.
 */
export const statusTime: TimeFormatter = compileStrftime('%A, %d-%b-%Y %H:%M:%S %Z')

const UNITS: readonly (readonly [name: string, seconds: number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

/**
 * ` 1 day 2 hours 1 second`: a blank before each number, units that are zero omitted, '' for zero seconds.
 */
export function uptimeWords(seconds: number): string {
  let text = ''
  let left = seconds
  for (const [name, size] of UNITS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) text += ` ${count} ${name}${count === 1 ? '' : 's'}`
  }
  return text
}
