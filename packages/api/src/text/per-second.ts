/** Text of a moment, given in milliseconds since 1970. */
export type TimeText = (ms: number) => string

/**
 * Caches the text of the latest second, for texts that do not change within a second. The cache belongs to
 * the returned function, so a clock can serve one log, one connection class or one worker.
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
