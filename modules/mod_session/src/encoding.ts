import type { Session } from '@gatewright/api/peers'

/** The name under which the encoded form has the end of the session. */
const EXPIRY = 'expiry'

/** Characters that httpd's encoding keeps. */
const KEPT = /[A-Za-z0-9._*-]/
const TO_ESCAPE = /[^A-Za-z0-9._*-]/

/**
 * Makes `encoded` from the values: `name=value&...`, blanks as `+`, others as `%xx` in lower case. From the first time on
 * the end of the session is one of the values, as in httpd.
 */
export function encodeValues(session: Session): void {
  const { entries } = session
  if (session.expiry !== 0n) entries.set(EXPIRY, String(session.expiry))
  const pairs: string[] = []
  for (const [name, value] of entries) pairs.push(`${escapeText(name)}=${escapeText(value)}`)
  session.encoded = pairs.join('&')
}

/** Adds the values of `encoded`. A name without a value removes one; what cannot be read is passed over. */
export function decodeValues(session: Session): void {
  const { encoded, entries } = session
  session.encoded = null
  if (encoded === null) return
  for (const pair of encoded.split('&')) {
    const [rawName, rawValue] = divide(pair)
    if (rawName === '') continue
    if (rawValue === '') {
      entries.unset(rawName)
      continue
    }
    const name = unescapeText(rawName)
    const value = unescapeText(rawValue)
    if (name === null || value === null) continue
    if (name === EXPIRY) session.expiry = integerOf(value)
    else entries.set(name, value)
  }
}

/** Signs of equality before the name do not count. */
function divide(pair: string): readonly [name: string, value: string] {
  let start = 0
  while (pair[start] === '=') start++
  const at = pair.indexOf('=', start)
  return at < 0 ? [pair.slice(start), ''] : [pair.slice(start, at), pair.slice(at + 1)]
}

function escapeText(text: string): string {
  if (!TO_ESCAPE.test(text)) return text
  let escaped = ''
  for (const char of text) {
    if (KEPT.test(char)) escaped += char
    else if (char === ' ') escaped += '+'
    else escaped += `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`
  }
  return escaped
}

/** null for a text with an escape that is none, or that means a NUL. */
function unescapeText(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text
  let plain = ''
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '+') plain += ' '
    else if (char !== '%') plain += char
    else {
      const digits = text.slice(i + 1, i + 3)
      if (!/^[0-9A-Fa-f]{2}$/.test(digits) || digits === '00') return null
      plain += String.fromCharCode(Number.parseInt(digits, 16))
      i += 2
    }
  }
  return plain
}

/** As httpd reads numbers of 64 bits: digits at the start, and limits in the place of what is beyond them. */
function integerOf(text: string): bigint {
  const digits = /^\s*([+-]?\d{1,30})/.exec(text)
  return digits === null ? 0n : clamp(BigInt(digits[1]))
}

function clamp(value: bigint): bigint {
  const limit = 2n ** 63n
  return value >= limit ? limit - 1n : value < -limit ? -limit : value
}
