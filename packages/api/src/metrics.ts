/**
 * Samples with the same name, as OpenMetrics defines them. For counters and infos, the name lacks the suffix `_total` or
 * `_info` of its samples.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface MetricFamily {
  /** Begins with `gatewright_`, or with the name of the module that is not of this project. */
  readonly name: string
  /** What the samples are. */
  readonly type: 'counter' | 'gauge' | 'histogram' | 'info'
  /** The last word of the name, if it is a unit. */
  readonly unit?: 'seconds' | 'bytes'
  /** One sentence. */
  readonly help: string
  /** Those of one set of labels stand together. */
  readonly samples: readonly MetricSample[]
}

/**
 * A value. Labels have values from the configuration or from fixed lists, so that clients cannot create series.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface MetricSample {
  /** For a sample of a histogram: its suffix. */
  readonly part?: '_bucket' | '_count' | '_sum'
  /** By name. */
  readonly labels?: Readonly<Record<string, string>>
  /** The number. */
  readonly value: number
}

/**
 * The samples of a histogram with these labels.
 * @param bounds the upper bounds of its intervals, in ascending order
 * @param counts how many values each interval has, and how many are larger than all bounds
 * @param sum of all values
 * @since 2.4.6
 */
export function histogramSamples(
  bounds: readonly number[],
  counts: ArrayLike<number>,
  sum: number,
  labels: Readonly<Record<string, string>> = {},
): readonly MetricSample[] {
  let total = 0
  const buckets = [...bounds, Number.POSITIVE_INFINITY].map((bound, index): MetricSample => {
    total += counts[index] ?? 0
    return { part: '_bucket', labels: { ...labels, le: boundText(bound) }, value: total }
  })
  return [...buckets, { part: '_count', labels, value: total }, { part: '_sum', labels, value: sum }]
}

/** Always with a decimal point, so that the label is the same in all formats. */
function boundText(bound: number): string {
  return bound === Number.POSITIVE_INFINITY ? '+Inf' : Number.isInteger(bound) ? `${bound}.0` : String(bound)
}
