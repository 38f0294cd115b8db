/**
 * A number as httpd's printf writes `%g`: no leading zero, no trailing zeros, `0` for zero; with an exponent when the digits that are left are more than
 * four fewer than the places before the point, or below 0.0001. `0.76` is `.76`, a million is `1.e+6`.
 * @param digits significant digits, 6 for `%g`
 */
export function shortNumber(value: number, digits = 6): string {
  if (value === 0) return '0'
  const [mantissa, exponent] = Math.abs(value)
    .toExponential(digits - 1)
    .split('e')
  const significant = mantissa.replace('.', '').replace(/0+$/, '')
  const sign = value < 0 ? '-' : ''
  const point = Number(exponent) + 1
  if (point - significant.length > 4 || point < -3) {
    const power = point - 1
    return `${sign}${significant[0]}.${significant.slice(1)}e${power < 0 ? '-' : '+'}${Math.abs(power)}`
  }
  if (point <= 0) return `${sign}.${'0'.repeat(-point)}${significant}`
  if (point >= significant.length) return sign + significant.padEnd(point, '0')
  return `${sign}${significant.slice(0, point)}.${significant.slice(point)}`
}

const KILO = 1024

/** Bytes for people: `5119 B`, `5.0 kB`, `512.0 kB` up to the half of the next unit. */
export function byteAmount(bytes: number): string {
  if (bytes < 5 * KILO) return `${Math.floor(bytes)} B`
  if (bytes < (KILO * KILO) / 2) return `${(bytes / KILO).toFixed(1)} kB`
  if (bytes < (KILO * KILO * KILO) / 2) return `${(bytes / KILO / KILO).toFixed(1)} MB`
  return `${(bytes / KILO / KILO / KILO).toFixed(1)} GB`
}

/** Kilobytes for people. */
export function kilobyteAmount(kilobytes: number): string {
  if (kilobytes < KILO) return `${kilobytes} kB`
  if (kilobytes < KILO * KILO) return `${(kilobytes / KILO).toFixed(1)} MB`
  return `${(kilobytes / KILO / KILO).toFixed(1)} GB`
}
