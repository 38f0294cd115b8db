/**
 * A quality value, from 0 to 1 with three digits at most. Whatever does not begin like one counts as 1, and a missing zero before the point is forgiven.
 * Numbers have C's single precision here and wherever they are multiplied: products that are equal there are equal here.
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
