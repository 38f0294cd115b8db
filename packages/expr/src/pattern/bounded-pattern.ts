import { setFlagsFromString } from 'node:v8'
import { TimedPattern } from './timed-pattern.ts'

/**
 * Builds the pattern in a form whose running time is bounded for every text. It runs on V8's engine without
 * backtracking, which finds the same matches in time linear in the length of the text. If that engine does
 * not support a construct (look-ahead, back references, counts above 16), a time limit stops the match.
 *
 * @param helpers number of groups that the pattern has for atomic groups
 * @param written the pattern as written in the configuration, for messages
 */
export function boundedPattern(pattern: RegExp, helpers: number, written: string): RegExp {
  if (helpers > 0) return new TimedPattern(pattern, written)
  // Enables the flag `l` and changes nothing else.
  setFlagsFromString('--enable-experimental-regexp-engine')
  try {
    const linear = new RegExp(pattern.source, 'l')
    linear.test('')
    return linear
  } catch {
    return new TimedPattern(pattern, written)
  }
}
