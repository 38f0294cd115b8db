import type { DescriptionRule } from './config.ts'
import { type ColumnWidth, STANDARD_WIDTH, SUPPRESS_ICON, SUPPRESS_LAST_MODIFIED, SUPPRESS_SIZE } from './index-options.ts'

const STEPS_OF_A_RULE = 4

/** The text of the first AddDescription that fits a path. In steps for `inTurns`. */
export function* describe(rules: readonly DescriptionRule[], path: string): Generator<number, string | null> {
  const name = path.slice(path.lastIndexOf('/') + 1)
  for (const { of, pattern, description } of rules) {
    yield STEPS_OF_A_RULE
    const subject = of === 'path' ? path : name
    if (typeof pattern === 'string' ? subject.includes(pattern) : pattern.matches(subject)) return description
  }
  return null
}

/** Characters that a description may have. Where no width was given, columns that are left out give it their room. */
export function descriptionRoom(width: ColumnWidth | undefined, options: number): number {
  if (width !== undefined) return width.characters
  let room = STANDARD_WIDTH
  if ((options & SUPPRESS_ICON) !== 0) room += 6
  if ((options & SUPPRESS_LAST_MODIFIED) !== 0) room += 19
  if ((options & SUPPRESS_SIZE) !== 0) room += 7
  return room
}

/**
 * A description cut to its room, with `>` in place of its last character. Tags take no room and are not cut, an entity takes one character; tags that
 * the cut leaves open stay open.
 */
export function cutDescription(description: string, room: number): string {
  if (room <= 0) return ''
  let left = room
  let at = 0
  while (at < description.length && (left > 0 || description[at] === '<')) {
    const character = description[at]
    if (character === '<') {
      const end = description.indexOf('>', at)
      // Without an end the tag takes the rest.
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
