import { TOKEN } from '../byte-classes.ts'

/**
 * Whether a Connection field contains this token (lower case), regardless of the separators between tokens.
 */
export function hasConnectionOption(field: string, option: string): boolean {
  let start = 0
  while (start < field.length) {
    while (start < field.length && TOKEN[field.charCodeAt(start)] !== 1) start++
    let end = start
    while (end < field.length && TOKEN[field.charCodeAt(end)] === 1) end++
    if (end - start === option.length && field.slice(start, end).toLowerCase() === option) return true
    start = end
  }
  return false
}
