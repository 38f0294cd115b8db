/** @param {readonly number[]} values at least one */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The maximum deviation of the values from their median, in percent of it. */
export function spread(values) {
  const middle = median(values)
  return (100 * Math.max(...values.map((value) => Math.abs(value - middle)))) / middle
}

/** Our figures divided by those of another server: higher is better for requests/s, lower for CPU time. */
export function ratios(ours, theirs) {
  return {
    requestsPerSecond: ours.requestsPerSecond / theirs.requestsPerSecond,
    cpuMicroseconds: ours.cpuMicroseconds / theirs.cpuMicroseconds,
  }
}

/** @param {readonly number[]} sorted ascending @returns {number} 0 for no values */
export function percentile(sorted, percent) {
  if (sorted.length === 0) return 0
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]
}
