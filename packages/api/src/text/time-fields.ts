/** Which clock a formatted time shows: the process's own zone, or Coordinated Universal Time. */
export type TimeZoneChoice = 'local' | 'utc'

/** The components of a moment, like the C library's broken-down time. */
export interface TimeFields {
  /** Milliseconds since 1970. */
  readonly ms: number
  /** With the century. */
  readonly year: number
  /** 0 to 11. */
  readonly month: number
  /** 1 to 31. */
  readonly day: number
  /** 0 to 23. */
  readonly hour: number
  /** 0 to 59. */
  readonly minute: number
  /** 0 to 59. */
  readonly second: number
  /** 0 is Sunday. */
  readonly weekday: number
  /** 0 to 365. */
  readonly yearDay: number
  /** Minutes east of Greenwich. */
  readonly offset: number
}

/** The components of a moment in the process's own time zone. */
export function localFields(ms: number): TimeFields {
  const date = new Date(ms)
  const year = date.getFullYear()
  const month = date.getMonth()
  const day = date.getDate()
  return {
    ms,
    year,
    month,
    day,
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
    weekday: date.getDay(),
    yearDay: yearDayOf(year, month, day),
    offset: -date.getTimezoneOffset(),
  }
}

/** The components of a moment in Coordinated Universal Time. */
export function utcFields(ms: number): TimeFields {
  const date = new Date(ms)
  const year = date.getUTCFullYear()
  const month = date.getUTCMonth()
  const day = date.getUTCDate()
  return {
    ms,
    year,
    month,
    day,
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
    weekday: date.getUTCDay(),
    yearDay: yearDayOf(year, month, day),
    offset: 0,
  }
}

/** English names, Sunday first. */
export const DAY_NAMES: readonly string[] = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** English names, January first. */
export const MONTH_NAMES: readonly string[] = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `Sun` to `Sat`. */
export const SHORT_DAY_NAMES: readonly string[] = DAY_NAMES.map((name) => name.slice(0, 3))

/** `Jan` to `Dec`. */
export const SHORT_MONTH_NAMES: readonly string[] = MONTH_NAMES.map((name) => name.slice(0, 3))

/** Formats a number with two digits, as in most fields of a time. */
export function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

/** `+hhmm` or `-hhmm`. */
export function offsetText(minutes: number): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}${twoDigits(size % 60)}`
}

const DAYS_BEFORE_MONTH: readonly number[] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]

/** The Gregorian rule. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function yearDayOf(year: number, month: number, day: number): number {
  return DAYS_BEFORE_MONTH[month] + day - 1 + (month > 1 && isLeapYear(year) ? 1 : 0)
}
