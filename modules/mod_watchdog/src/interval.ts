const UNITS: Readonly<Record<string, number>> = { '': 1000, s: 1000, ms: 1, mi: 60_000, min: 60_000, h: 3_600_000 }

/**
 * Parses a number with a unit (`ms`, `s`, `min`, `h`; default seconds), in milliseconds; undefined if it is
 * invalid.
 */
export function intervalOf(text: string): number | undefined {
  const parts = /^(\d+)([a-z]*)$/i.exec(text)
  if (parts === null) return undefined
  const unit = UNITS[parts[2].toLowerCase()]
  return unit === undefined ? undefined : Number(parts[1]) * unit
}
