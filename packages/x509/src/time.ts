import type { DerReader } from './der-reader.ts'
import { GENERALIZED_TIME, UTC_TIME } from './der-tags.ts'
import { MalformedError } from './malformed.ts'

/** A point in time as a certificate or CRL states it. */
export interface CertificateTime {
  /** Undefined for digits that are not a time. */
  readonly date: Date | undefined
  /** As OpenSSL prints it: `Jan  1 00:00:00 2020 GMT`; `Bad time value` for digits that are not a time. */
  readonly text: string
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const FORM = /^(\d{2}|\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(?:(\d{2})(\.\d+)?)?(?:Z|([+-])(\d{2})(\d{2}))$/

/** Reads a Time: a UTCTime or GeneralizedTime. @throws MalformedError for any other type */
export function readTime(reader: DerReader): CertificateTime {
  const value = reader.next()
  if (value.tag !== UTC_TIME && value.tag !== GENERALIZED_TIME) throw new MalformedError('a time expected', value.at)
  return certificateTime(value.tag, reader.contents(value).toString('latin1'))
}

/** Whether the next value is a time. */
export function isTime(tag: number): boolean {
  return tag === UTC_TIME || tag === GENERALIZED_TIME
}

function certificateTime(tag: number, digits: string): CertificateTime {
  const parts = digits.length <= 64 ? FORM.exec(digits) : null
  const bad = { date: undefined, text: 'Bad time value' }
  if (parts === null || (parts[1].length === 2) !== (tag === UTC_TIME)) return bad
  const [, yearDigits, month, day, hour, minute, second = '0', fraction = '', sign, offsetHours = '0', offsetMinutes = '0'] =
    parts
  if (fraction !== '' && tag === UTC_TIME) return bad
  const year = tag === UTC_TIME ? Number(yearDigits) + (Number(yearDigits) < 50 ? 2000 : 1900) : Number(yearDigits)
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return bad
  if (Number(offsetHours) > 12 || Number(offsetMinutes) > 59) return bad
  const local = new Date(0)
  local.setUTCFullYear(year, Number(month) - 1, Number(day))
  if (local.getUTCMonth() !== Number(month) - 1 || local.getUTCDate() !== Number(day)) return bad
  local.setUTCHours(Number(hour), Number(minute), Number(second))
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000
  const date = new Date(local.getTime() + (sign === '+' ? -offset : offset))
  return { date, text: `${timeText(date, fraction)} GMT` }
}

function timeText(date: Date, fraction: string): string {
  const day = String(date.getUTCDate()).padStart(2)
  return `${MONTHS[date.getUTCMonth()]} ${day} ${date.toISOString().slice(-13, -5)}${fraction} ${date.getUTCFullYear()}`
}
