import { randomBytes } from 'node:crypto'
import { SHORT_DAY_NAMES, SHORT_MONTH_NAMES, utcFields } from '@gatewright/api/text'
import { DEFAULT_NAME, type UsertrackConfig } from './config.ts'

/** A value: 32 random bits, a dot and the time in microseconds, in hexadecimal digits. @param ms since the epoch */
export function newValue(ms: number): string {
  const random = randomBytes(4).readUInt32BE(0)
  return `${random.toString(16)}.${Math.floor(ms * 1000).toString(16)}`
}

/**
 * The text of the Set-Cookie field.
 * @param lifetime in seconds; 0 for a cookie of the session
 * @param ms time of the request, in milliseconds since the epoch
 */
export function cookieText(config: Readonly<UsertrackConfig>, value: string, lifetime: number, ms: number): string {
  const { name = DEFAULT_NAME, style = 'netscape', domain, sameSite, secure, httpOnly } = config
  let text = `${name.text}=${value}; path=/`
  if (lifetime > 0) text += style === 'netscape' ? `; expires=${cookieDate(ms + lifetime * 1000)}` : `; max-age=${lifetime}`
  if (domain !== undefined) text += `; domain=${domain}${style === 'cookie2' ? '; version=1' : ''}`
  if (sameSite !== undefined) text += `; ${sameSite}`
  if (secure === true) text += '; Secure'
  if (httpOnly === true) text += '; HttpOnly'
  return text
}

/** A time in the format of Netscape's cookies, with a year of two digits. */
function cookieDate(ms: number): string {
  const { weekday, day, month, year, hour, minute, second } = utcFields(ms)
  const date = `${twoDigits(day)}-${SHORT_MONTH_NAMES[month]}-${twoDigits(year % 100)}`
  return `${SHORT_DAY_NAMES[weekday]}, ${date} ${twoDigits(hour)}:${twoDigits(minute)}:${twoDigits(second)} GMT`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
