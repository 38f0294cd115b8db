/**
 * The quantile of a histogram, with values evenly distributed within each bucket. null without values; the
 * last bound if the quantile is above all bounds.
 */
export function percentile(bounds: readonly number[], counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total <= 0) return null
  let missing = total * share
  for (let index = 0; index < bounds.length; index++) {
    const count = counts[index]
    if (count > 0 && missing <= count) {
      const lower = index === 0 ? 0 : bounds[index - 1]
      return lower + ((bounds[index] - lower) * missing) / count
    }
    missing -= count
  }
  return bounds[bounds.length - 1]
}
