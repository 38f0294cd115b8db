/** A number as C's atoi reads it: the digits at the start; 0 without any. */
export function leadingNumber(text: string): number {
  const match = /^\s*[+-]?\d+/.exec(text)
  return match === null ? 0 : Number(match[0])
}

const UNITS: ReadonlyMap<string, number> = new Map([
  ['', 1000],
  ['s', 1000],
  ['ms', 1],
  ['mi', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
])

/** A time with an optional unit, seconds without one. @returns ms; null if it is none */
export function readTime(text: string): number | null {
  const match = /^(\d+)([a-z]*)$/i.exec(text)
  const unit = match === null ? undefined : UNITS.get(match[2].toLowerCase())
  return match === null || unit === undefined ? null : Number(match[1]) * unit
}
