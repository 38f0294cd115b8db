import { cachePerSecond } from './per-second.ts'
import { localFields, SHORT_DAY_NAMES, SHORT_MONTH_NAMES, twoDigits } from './time-fields.ts'

/**
 * The error log's time: `Sat Nov 21 05:48:24.091280 2026`, local time.
 *
 * `ms` is any moment of the second, `micros` the microseconds within that second (0 to 999999); without it
 * they are taken from the fraction of `ms`.
 */
export function errorLogTime(ms: number, micros: number = microsecondsOf(ms)): string {
  return timeWithFraction(secondText(ms), micros)
}

/** Like `errorLogTime`, but formats each second only once. */
export function createErrorLogClock(): (ms: number, micros?: number) => string {
  const cached = cachePerSecond(secondText)
  return (ms, micros = microsecondsOf(ms)) => timeWithFraction(cached(ms), micros)
}

/** Microseconds within the second of a moment that may have fractions of a millisecond: 0 to 999999. */
export function microsecondsOf(ms: number): number {
  return Math.min(Math.round((ms - Math.floor(ms / 1000) * 1000) * 1000), 999_999)
}

/** `Sat Nov 21 05:48:24 2026`; the fraction is inserted before the last five characters. */
function secondText(ms: number): string {
  const t = localFields(ms)
  const clock = `${twoDigits(t.hour)}:${twoDigits(t.minute)}:${twoDigits(t.second)}`
  return `${SHORT_DAY_NAMES[t.weekday]} ${SHORT_MONTH_NAMES[t.month]} ${twoDigits(t.day)} ${clock} ${String(t.year).padStart(4, '0')}`
}

const SECONDS_END = 'Sat Nov 21 05:48:24'.length

function timeWithFraction(text: string, micros: number): string {
  return `${text.slice(0, SECONDS_END)}.${String(1_000_000 + micros).slice(1)}${text.slice(SECONDS_END)}`
}
