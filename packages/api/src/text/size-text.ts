const UNITS = 'KMGTPE'

/**
 * A size in bytes in four characters, as httpd writes it in listings and pages: ` 24 `, `2.0K`, `972M`; `  - ` below 0.
 * @since 2.4.6
 */
export function sizeText(size: number): string {
  if (size < 0) return '  - '
  if (size < 973) return `${String(size).padStart(3)} `
  let whole = size
  for (const unit of UNITS) {
    const rest = whole % 1024
    whole = Math.floor(whole / 1024)
    if (whole >= 973) continue
    if (whole < 9 || (whole === 9 && rest < 973)) {
      const tenths = Math.floor((rest * 5 + 256) / 512)
      return tenths >= 10 ? `${whole + 1}.0${unit}` : `${whole}.${tenths}${unit}`
    }
    return `${String(rest >= 512 ? whole + 1 : whole).padStart(3)}${unit}`
  }
  return '****'
}
