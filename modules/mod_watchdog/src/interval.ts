const UNITS: Readonly<Record<string, number>> = { '': 1000, s: 1000, ms: 1, mi: 60_000, min: 60_000, h: 3_600_000 }

/** A number with a unit (`ms`, `s`, `min`, `h`; seconds without), in milliseconds; undefined when it is none. */
export function intervalOf(text: string): number | undefined {
  const parts = /^(\d+)([a-z]*)$/i.exec(text)
  if (parts === null) return undefined
  const unit = UNITS[parts[2].toLowerCase()]
  return unit === undefined ? undefined : Number(parts[1]) * unit
}
