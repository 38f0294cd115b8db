/** Text of a moment, given in milliseconds since 1970. */
export type TimeText = (ms: number) => string

/**
 * Remembers the text of the last second asked for; right for every text that does not change within a second.
 * The memory belongs to the function returned, so a clock serves one log, one connection class or one worker,
 * as its owner likes.
 */
export function cachePerSecond(format: TimeText): TimeText {
  let second = Number.NaN
  let text = ''
  return (ms) => {
    const wanted = Math.floor(ms / 1000)
    if (wanted !== second) {
      text = format(ms)
      second = wanted
    }
    return text
  }
}
