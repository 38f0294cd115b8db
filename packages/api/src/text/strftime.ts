import { cachePerSecond, type TimeText } from './per-second.ts'
import { type Conversion, conversionFor, type FieldText } from './strftime-fields.ts'
import { localFields, type TimeFields, type TimeZoneChoice, utcFields } from './time-fields.ts'

/**
 * Formats a time as the C library's `strftime` does in the C locale: every conversion of ISO C and POSIX,
 * glibc's `%k %l %P %s`, its flags (`%-d`, `%_d`, `%0e`, `%^a`, `%#Z`) and widths (`%10Y`, not for `%z`); the
 * modifiers `E` and `O` change nothing. Other text is copied unchanged.
 *
 * @param when a Date or milliseconds since 1970
 */
export function strftime(format: string, when: Date | number, zone: TimeZoneChoice = 'local'): string {
  return compileStrftime(format, zone)(typeof when === 'number' ? when : when.getTime())
}

/** A compiled format; takes milliseconds since 1970. */
export type TimeFormatter = TimeText

/** Compiles a format once, for repeated use. */
export function compileStrftime(format: string, zone: TimeZoneChoice = 'local'): TimeFormatter {
  const parts = parseFormat(format, zone)
  const fieldsOf = zone === 'local' ? localFields : utcFields
  return (ms) => joinParts(parts, fieldsOf(ms))
}

/** Like `compileStrftime`, but formats each second only once. */
export function createStrftimeClock(format: string, zone: TimeZoneChoice = 'local'): TimeFormatter {
  return cachePerSecond(compileStrftime(format, zone))
}

type Part = string | FieldText

function joinParts(parts: readonly Part[], fields: TimeFields): string {
  let text = ''
  for (const part of parts) text += typeof part === 'string' ? part : part(fields)
  return text
}

/** Flags, width, modifier, conversion. */
const ITEM = /%([-_0^#]*)(\d*)([EO]?)(.)/gsu

function parseFormat(format: string, zone: TimeZoneChoice): Part[] {
  const parts: Part[] = []
  let copied = 0
  for (const match of format.matchAll(ITEM)) {
    if (match.index > copied) parts.push(format.slice(copied, match.index))
    copied = match.index + match[0].length
    const [whole, flags, width, modifier, letter] = match
    const conversion = takesModifier(letter, modifier) ? conversionFor(letter, zone) : undefined
    parts.push(conversion === undefined ? whole : compileItem(conversion, letter, flags, Number(width), zone))
  }
  if (copied < format.length) parts.push(format.slice(copied))
  return parts
}

/** glibc rejects a modifier on conversions that have no alternative form. */
function takesModifier(letter: string, modifier: string): boolean {
  if (modifier === 'E') return !'aAbBdDeFHIjklmMSUVwW'.includes(letter)
  return modifier !== 'O' || !'aAcDFY'.includes(letter)
}

function compileItem(conversion: Conversion, letter: string, flags: string, width: number, zone: TimeZoneChoice): FieldText {
  const flag = paddingFlag(flags)
  switch (conversion.kind) {
    case 'number': {
      const { value } = conversion
      const zeros = flag === '' ? conversion.zeros : flag === '0'
      const size = flag === '-' ? width : Math.max(width, conversion.digits)
      return zeros ? (fields) => padZeros(value(fields), size) : (fields) => String(value(fields)).padStart(size)
    }
    case 'text':
      return letter === 'z' ? conversion.value : padText(changeCase(conversion.value, letter, flags), width, flag)
    case 'format': {
      const parts = parseFormat(conversion.format, zone)
      return padText(
        changeCase((fields) => joinParts(parts, fields), letter, flags),
        width,
        flag,
      )
    }
  }
}

/** The last padding flag counts. */
function paddingFlag(flags: string): string {
  return flags.replace(/[\^#]/g, '').slice(-1)
}

function padZeros(value: number, size: number): string {
  return value < 0 ? `-${String(-value).padStart(size - 1, '0')}` : String(value).padStart(size, '0')
}

function padText(value: FieldText, width: number, flag: string): FieldText {
  if (width === 0) return value
  const pad = flag === '0' ? '0' : ' '
  return (fields) => value(fields).padStart(width, pad)
}

/**
 * `^` converts to upper case; `#` converts text in capitals (`%p`, `%Z`) to lower case and other text to
 * upper case; `%P` is kept.
 */
function changeCase(value: FieldText, letter: string, flags: string): FieldText {
  if (letter === 'P') return value
  if (flags.includes('#') && (letter === 'p' || letter === 'Z')) return (fields) => value(fields).toLowerCase()
  return flags.includes('^') || (flags.includes('#') && letter !== 'c') ? (fields) => value(fields).toUpperCase() : value
}
