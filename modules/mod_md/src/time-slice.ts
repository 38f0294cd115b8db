const SECOND = 1000
const DAY = 86_400 * SECOND
/** What 100 % of the life of a certificate stands for. */
export const LIFE_NORM: number = 100 * DAY
/** The same for the time that OCSP responses are kept. */
export const KEEP_NORM: number = 7 * DAY

/** A time, or a part of a longer one. Milliseconds. */
export interface TimeSlice {
  /** 0 for a fixed time; otherwise what `length` is a part of. */
  readonly norm: number
  readonly length: number
}

/** The time between two moments, in milliseconds since the epoch. */
export interface Period {
  readonly start: number
  readonly end: number
}

const UNITS: readonly (readonly [pattern: RegExp, ms: number])[] = [
  [/^d/i, DAY],
  [/^s/i, SECOND],
  [/^h/i, 3600 * SECOND],
  [/^ms/i, 1],
  [/^mi/i, 60 * SECOND],
]

/**
 * A number with a unit, of which only the first letters count, as `md_duration_parse`.
 * @param unit the unit of a bare number
 * @returns milliseconds, or undefined when it is no duration
 */
export function parseDuration(text: string, unit: 's' | 'd'): number | undefined {
  const [, digits, rest] = /^\s*([-+]?\d+)?(.*)$/s.exec(text) ?? []
  if (rest !== '' && digits === undefined) return undefined
  const ms = UNITS.find(([pattern]) => pattern.test(rest === '' ? unit : rest))?.[1]
  return ms === undefined ? undefined : Number(digits ?? 0) * ms
}

/** A duration of days unless it has a unit, or a percentage; an error text for anything else. */
export function parseSlice(text: string, norm: number): TimeSlice | string {
  const length = parseDuration(text, 'd')
  if (length !== undefined) return { norm: 0, length }
  const digits = /^\s*([-+]?\d+)%/.exec(text)?.[1]
  if (digits === undefined) return 'has unrecognized format'
  const percent = Number(digits)
  if (percent < 0) return 'percent must be less than 100'
  return { norm, length: Math.trunc((norm / SECOND) * (percent / 100)) * SECOND }
}

/** The same as text, with which httpd reads it again. */
export function sliceText({ norm, length }: TimeSlice): string {
  return norm > 0 ? `${percentOf(norm, length)}%` : durationText(length)
}

/** The last part of a period. */
export function sliceBeforeEnd({ start, end }: Period, { norm, length }: TimeSlice): Period {
  if (norm === 0) return { start: end - length, end }
  const percent = percentOf(norm, length)
  const whole = end - start
  const part = whole > 100 * SECOND ? Math.trunc((Math.trunc(whole / SECOND) * percent) / 100) * SECOND : (whole * percent) / 100
  return { start: end - part, end }
}

function percentOf(norm: number, length: number): number {
  return Math.trunc((length * 100) / norm)
}

/** A duration in the largest unit that it is a whole number of. */
export function durationText(ms: number): string {
  if (ms % SECOND !== 0) return `${ms}ms`
  for (const [size, unit] of [
    [DAY, 'd'],
    [3600 * SECOND, 'h'],
    [60 * SECOND, 'mi'],
  ] as const) {
    if (ms % size === 0) return `${ms / size}${unit}`
  }
  return `${ms / SECOND}s`
}

/** A duration in words, as log lines have it: `2 hours 5 minutes`. */
export function durationWords(ms: number): string {
  const seconds = Math.trunc(ms / SECOND)
  const parts: string[] = []
  const amount = (count: number, unit: string): void => {
    if (count > 0) parts.push(`${count} ${unit}`)
  }
  amount(Math.trunc(seconds / 86_400), 'days')
  amount(Math.trunc((seconds % 86_400) / 3600), 'hours')
  amount(Math.trunc((seconds % 3600) / 60), 'minutes')
  amount(seconds % 60, 'seconds')
  if (parts.length > 0) return parts.join(' ')
  return ms === 0 ? '0 seconds' : `${Math.trunc(ms)} ms`
}
