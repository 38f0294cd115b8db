import { isLeapYear } from './time-fields.ts'

/**
 * Parses an HTTP date as httpd does: IMF-fixdate (also with a one-digit day), RFC 850 or asctime form. The
 * weekday and anything after the time are ignored, including a zone other than GMT. Months are
 * case-sensitive, seconds go to 61, two-digit years below 70 belong to this century. Undefined for anything
 * else and for moments up to the start of 1970.
 *
 * @returns milliseconds since 1970
 */
export function parseHttpDate(text: string): number | undefined {
  let start = 0
  while (start < text.length && isBlank(text.charCodeAt(start))) start++
  const blank = text.indexOf(' ', start)
  if (blank === -1) return undefined
  const at = blank + 1

  if (fits(text, at, '00 Aaa 0000 00:00:00 ')) {
    return moment(fourDigits(text, at + 7), text.slice(at + 3, at + 6), twoDigits(text, at), text, at + 12)
  }
  if (fits(text, at, '00-Aaa-00 00:00:00 ')) {
    const year = twoDigits(text, at + 7)
    return moment(year < 70 ? 2000 + year : 1900 + year, text.slice(at + 3, at + 6), twoDigits(text, at), text, at + 10)
  }
  if (fits(text, at, 'Aaa _0 00:00:00 0000')) {
    return moment(fourDigits(text, at + 16), text.slice(at, at + 3), twoDigits(text, at + 4), text, at + 7)
  }
  if (fits(text, at, '0 Aaa 0000 00:00:00 ')) {
    return moment(fourDigits(text, at + 6), text.slice(at + 2, at + 5), text.charCodeAt(at) - 0x30, text, at + 11)
  }
  return undefined
}

/**
 * In a mask `0` is a digit, `_` a digit or a blank, `A` and `a` are letters of that case; other characters
 * match themselves.
 */
function fits(text: string, at: number, mask: string): boolean {
  if (text.length < at + mask.length) return false
  for (let i = 0; i < mask.length; i++) {
    const code = text.charCodeAt(at + i)
    switch (mask.charCodeAt(i)) {
      case 0x30:
        if (code < 0x30 || code > 0x39) return false
        break
      case 0x5f:
        if (code !== 0x20 && (code < 0x30 || code > 0x39)) return false
        break
      case 0x41:
        if (code < 0x41 || code > 0x5a) return false
        break
      case 0x61:
        if (code < 0x61 || code > 0x7a) return false
        break
      default:
        if (code !== mask.charCodeAt(i)) return false
    }
  }
  return true
}

const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec'
const MONTH_LENGTHS: readonly number[] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function moment(year: number, monthName: string, day: number, text: string, clockAt: number): number | undefined {
  const hour = twoDigits(text, clockAt)
  const minute = twoDigits(text, clockAt + 3)
  const second = twoDigits(text, clockAt + 6)
  if (hour > 23 || minute > 59 || second > 61 || year < 1970) return undefined

  const found = MONTHS.indexOf(monthName)
  if (found === -1) return undefined
  const month = found / 3
  if (day < 1 || day > MONTH_LENGTHS[month] || (month === 1 && day === 29 && !isLeapYear(year))) return undefined

  const ms = Date.UTC(year, month, day, hour, minute, second)
  return ms > 0 ? ms : undefined
}

/** A blank instead of the first digit counts as zero, because asctime pads the day with one. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at)
  return (tens === 0x20 ? 0 : tens - 0x30) * 10 + text.charCodeAt(at + 1) - 0x30
}

function fourDigits(text: string, at: number): number {
  return twoDigits(text, at) * 100 + twoDigits(text, at + 2)
}

function isBlank(code: number): boolean {
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
