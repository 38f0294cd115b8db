import { offsetText } from './time-fields.ts'

/**
 * Abbreviation of a time zone at a moment (milliseconds since 1970), given its offset in minutes east of
 * Greenwich.
 */
export type ZoneNamer = (ms: number, offset: number) => string

/**
 * Names the process's own zone like `%Z` of the C library: `UTC`, `CET`, `EDT`; without a known abbreviation,
 * the offset replaces it (`-03`), as in the zone database.
 */
export function createZoneNamer(): ZoneNamer {
  const zone = new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone
  const known = ABBREVIATIONS.get(zone)
  if (known !== undefined) return (_ms, offset) => (offset === known.standardOffset ? known.standard : known.daylight)

  // No single English locale knows all abbreviations: each names the zones of its own part of the world.
  const formats = ENGLISH_LOCALES.map((locale) => new Intl.DateTimeFormat(locale, { timeZone: zone, timeZoneName: 'short' }))
  return (ms, offset) => {
    for (const format of formats) {
      const name = format.formatToParts(ms).find((part) => part.type === 'timeZoneName')?.value ?? ''
      if (/^[A-Za-z]+$/.test(name)) return name
    }
    const text = offsetText(offset)
    return text.endsWith('00') ? text.slice(0, 3) : text
  }
}

const ENGLISH_LOCALES: readonly string[] = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA', 'en-CA']

interface ZoneAbbreviation {
  readonly standard: string
  readonly standardOffset: number
  readonly daylight: string
}

/** Zones whose abbreviation none of those locales uses, or for which they differ from the zone database. */
const ABBREVIATIONS: ReadonlyMap<string, ZoneAbbreviation> = new Map([
  ['Asia/Hong_Kong', always('HKT', 8)],
  ['Asia/Jakarta', always('WIB', 7)],
  ['Asia/Pontianak', always('WIB', 7)],
  ['Asia/Makassar', always('WITA', 8)],
  ['Asia/Jayapura', always('WIT', 9)],
  ['Asia/Jerusalem', { standard: 'IST', standardOffset: 120, daylight: 'IDT' }],
  ['Asia/Karachi', always('PKT', 5)],
  ['Asia/Macau', always('CST', 8)],
  ['Asia/Manila', always('PST', 8)],
  ['Asia/Seoul', always('KST', 9)],
  ['Asia/Shanghai', always('CST', 8)],
  ['Asia/Taipei', always('CST', 8)],
  ['Asia/Tokyo', always('JST', 9)],
  ['Asia/Colombo', always('+0530', 5.5)],
  ['Asia/Dubai', always('+04', 4)],
  ['Europe/Dublin', { standard: 'GMT', standardOffset: 0, daylight: 'IST' }],
  ['Europe/Moscow', always('MSK', 3)],
  ['Europe/Simferopol', always('MSK', 3)],
  ['Europe/Volgograd', always('MSK', 3)],
])

function always(name: string, hours: number): ZoneAbbreviation {
  return { standard: name, standardOffset: hours * 60, daylight: name }
}
