export interface Sample {
  /** Seconds since the beginning. */
  readonly at: number
  readonly value: number
}

/** The straight line that fits samples best, by its two ends. */
export interface Trend {
  readonly from: number
  readonly to: number
}

/** Fits a line by least squares. @throws when there are fewer than two samples, or all of one moment */
export function trendOf(samples: readonly Sample[]): Trend {
  const mean = (of: (sample: Sample) => number): number => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const at = mean((sample) => sample.at)
  const value = mean((sample) => sample.value)
  const spread = mean((sample) => (sample.at - at) ** 2)
  if (!(spread > 0)) throw new Error(`no trend in ${samples.length} samples`)
  const slope = mean((sample) => (sample.at - at) * (sample.value - value)) / spread
  const [first, last] = [samples[0], samples[samples.length - 1]]
  return { from: value + slope * (first.at - at), to: value + slope * (last.at - at) }
}
