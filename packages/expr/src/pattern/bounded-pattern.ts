import { setFlagsFromString } from 'node:v8'
import { TimedPattern } from './timed-pattern.ts'

/**
 * The pattern, in a form that no text can keep busy for long: run by V8's engine without backtracking, which gives the same matches in time that
 * grows with the text only; where that engine does not know a construct (look-ahead, back references, counts above 16), stopped after a time.
 *
 * @param helpers number of groups that the pattern has for atomic groups
 * @param written the pattern as people know it, for messages
 */
export function boundedPattern(pattern: RegExp, helpers: number, written: string): RegExp {
  if (helpers > 0) return new TimedPattern(pattern, written)
  // Makes the flag `l` known and changes nothing else.
  setFlagsFromString('--enable-experimental-regexp-engine')
  try {
    const linear = new RegExp(pattern.source, 'l')
    linear.test('')
    return linear
  } catch {
    return new TimedPattern(pattern, written)
  }
}
