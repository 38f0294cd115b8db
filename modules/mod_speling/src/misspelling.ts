/** How a name differs from another, from the most to the least probable. The texts are those of the page. */
export const MISSPELLINGS = [
  'miscapitalized',
  'transposed characters',
  'character missing',
  'extra character',
  'mistyped character',
  'common basename',
] as const

export type Misspelling = (typeof MISSPELLINGS)[number]

/**
 * How a requested name differs from that of a file, if one small mistake explains it.
 * @param written the requested name in {@link lower} letters
 * @param meant that of the file, in the same way
 */
export function misspelling(written: string, meant: string): Misspelling | null {
  if (written === meant) return 'miscapitalized'
  let at = 0
  while (at < written.length && written[at] === meant[at]) at++
  const rest = written.slice(at)
  const wanted = meant.slice(at)
  if (rest.length > 1 && rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2))
    return 'transposed characters'
  if (rest !== '' && wanted !== '' && rest.slice(1) === wanted.slice(1)) return 'mistyped character'
  if (rest.slice(1) === wanted && rest !== '') return 'extra character'
  if (rest === wanted.slice(1) && wanted !== '') return 'character missing'
  return null
}

/** The part of a name before its first dot. */
export function basename(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? name : name.slice(0, dot)
}

/** Only letters of ASCII have capitals: names are bytes. */
export function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
