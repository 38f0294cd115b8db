/** Milliseconds of each unit that httpd accepts in time-outs. */
const UNITS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, mi: 60_000, min: 60_000, h: 3_600_000 }

/**
 * A time as httpd reads it: digits and a unit, seconds without one.
 * @returns milliseconds; undefined for another text
 */
export function readDuration(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,12})([a-z]*)$/i.exec(text) ?? []
  if (digits === '') return undefined
  const factor = unit === '' ? UNITS.s : Object.entries(UNITS).find(([name]) => name === unit.toLowerCase())?.[1]
  return factor === undefined ? undefined : Number(digits) * factor
}
