/**
 * Formats a number as httpd's printf does for `%g`: without a leading zero or trailing zeros, `0` for zero.
 * An exponent is used if the integer part has more than four digits more than there are significant ones, or
 * below 0.0001. `0.76` is `.76`, a million is `1.e+6`.
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

/** Bytes in a readable unit: `5119 B`, `5.0 kB`, `512.0 kB`. A unit is used up to half of the next one. */
export function byteAmount(bytes: number): string {
  if (bytes < 5 * KILO) return `${Math.floor(bytes)} B`
  if (bytes < (KILO * KILO) / 2) return `${(bytes / KILO).toFixed(1)} kB`
  if (bytes < (KILO * KILO * KILO) / 2) return `${(bytes / KILO / KILO).toFixed(1)} MB`
  return `${(bytes / KILO / KILO / KILO).toFixed(1)} GB`
}

/** Kilobytes in a readable unit. */
export function kilobyteAmount(kilobytes: number): string {
  if (kilobytes < KILO) return `${kilobytes} kB`
  if (kilobytes < KILO * KILO) return `${(kilobytes / KILO).toFixed(1)} MB`
  return `${(kilobytes / KILO / KILO).toFixed(1)} GB`
}
