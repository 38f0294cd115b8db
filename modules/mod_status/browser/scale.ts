/** Positions of values: 0 is at the bottom, 1 at the top. */
export interface Scale {
  /** Values with a grid line. */
  readonly marks: readonly number[]
  place(value: number): number
}

/** The smallest of 1, 2, 3, 4, 6, 8, 10, 20 ... that is not below a value. */
export function niceCeiling(value: number, least: number): number {
  const wanted = Math.max(value, least)
  const power = 10 ** Math.floor(Math.log10(wanted))
  return [1, 2, 3, 4, 6, 8].map((step) => step * power).find((step) => step >= wanted * 0.999_999) ?? 10 * power
}

/** From zero to a round number not below any value. */
export function linearScale(values: readonly number[], least: number): Scale {
  const top = niceCeiling(Math.max(0, ...values), least)
  return { marks: [0, top / 2, top], place: (value) => value / top }
}

/** Powers of ten, for values that differ by factors of up to a thousand. */
export function powerScale(values: readonly number[], least: number, leastTop: number): Scale {
  const top = 10 ** Math.ceil(Math.log10(Math.max(leastTop, ...values)) - 1e-9)
  const powers = Math.round(Math.log10(top / least))
  return {
    marks: Array.from({ length: powers + 1 }, (_, power) => least * 10 ** power),
    place: (value) => Math.min(1, Math.max(0, Math.log10(Math.max(value, least) / least) / powers)),
  }
}
