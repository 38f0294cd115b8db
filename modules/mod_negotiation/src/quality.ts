/**
 * Parses a quality, from 0 to 1 with at most three digits. A text that does not begin with one counts as 1;
 * the zero before the point may be missing. Like httpd, this module computes in single precision, so that the
 * same products are equal.
 */
export function parseQuality(text: string): number {
  const trimmed = text.trimStart()
  if (trimmed === '') return 1
  const parts = /^0?(?:\.(\d{0,3}))?/.exec(trimmed)
  if (parts === null || parts[0] === '') return 1
  return Math.fround(Number((parts[1] ?? '').padEnd(3, '0')) / 1000)
}

export function product(...factors: readonly number[]): number {
  return factors.reduce((so, factor) => Math.fround(so * factor), 1)
}
