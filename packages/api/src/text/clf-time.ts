import { cachePerSecond, type TimeText } from './per-second.ts'
import { localFields, offsetText, SHORT_MONTH_NAMES, twoDigits } from './time-fields.ts'

/** The access log's `%t`: `[21/Nov/2026:05:50:05 +0000]`, local time, English month names. */
export function clfTime(ms: number): string {
  const t = localFields(ms)
  const date = `${twoDigits(t.day)}/${SHORT_MONTH_NAMES[t.month]}/${t.year}`
  return `[${date}:${twoDigits(t.hour)}:${twoDigits(t.minute)}:${twoDigits(t.second)} ${offsetText(t.offset)}]`
}

/** Like `clfTime`, but formats each second only once. */
export function createClfClock(): TimeText {
  return cachePerSecond(clfTime)
}
