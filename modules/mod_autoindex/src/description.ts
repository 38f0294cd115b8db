import type { DescriptionRule } from './config.ts'
import { type ColumnWidth, STANDARD_WIDTH, SUPPRESS_ICON, SUPPRESS_LAST_MODIFIED, SUPPRESS_SIZE } from './index-options.ts'

const STEPS_OF_A_RULE = 4

/** The text of the first AddDescription that matches a path. In steps for `inTurns`. */
export function* describe(rules: readonly DescriptionRule[], path: string): Generator<number, string | null> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (const { of, pattern, description } of rules) {
    yield STEPS_OF_A_RULE
    const subject = of === 'path' ? path : name
    if (typeof pattern === 'string' ? subject.includes(pattern) : pattern.matches(subject)) return description
  }
  return null
}

/** Maximum length of a description. If no width is configured, suppressed columns leave their width to it. */
export function descriptionLimit(width: ColumnWidth | undefined, options: number): number {
  if (width !== undefined) return width.characters
  let limit = STANDARD_WIDTH
  if ((options & SUPPRESS_ICON) !== 0) limit += 6
  if ((options & SUPPRESS_LAST_MODIFIED) !== 0) limit += 19
  if ((options & SUPPRESS_SIZE) !== 0) limit += 7
  return limit
}

/**
 * Cuts a description to a width, with `>` as its last character. Tags have no width and are not cut, an
 * entity counts as one character; tags that the cut leaves open are not closed.
 */
export function cutDescription(description: string, limit: number): string {
  if (limit <= 0) return ''
  let left = limit
  let at = 0
  while (at < description.length && (left > 0 || description[at] === '<')) {
    const character = description[at]
    if (character === '<') {
      const end = description.indexOf('>', at)
      // An unterminated tag extends to the end.
      if (end < 0) return description
      at = end + 1
    } else {
      left--
      const end = character === '&' ? description.indexOf(';', at) : at
      if (end < 0) return description
      at = end + 1
    }
  }
  return left === 0 && at < description.length ? `${description.slice(0, at - 1)}>` : description
}
