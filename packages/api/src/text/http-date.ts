import { cachePerSecond, type TimeText } from './per-second.ts'

/** IMF-fixdate (RFC 9110 section 5.6.7): `Sat, 21 Nov 2026 05:50:05 GMT`. Milliseconds are truncated. */
export function httpDate(ms: number): string {
  return new Date(ms).toUTCString()
}

/** Like `httpDate`, but formats each second only once. */
export function createHttpDateClock(): TimeText {
  return cachePerSecond(httpDate)
}
