/**
 * Whether a name of AddIcon, AddAlt or IndexIgnore is a pattern. Brackets are ordinary characters in these
 * names.
 */
export function isWildcard(name: string): boolean {
  return name.includes('*') || name.includes('?')
}

/** Maximum cost of a match, in microseconds. */
export function stepsOfMatch(text: string, pattern: string): number {
  return 1 + (text.length * pattern.length) / COMPARISONS_IN_A_STEP
}

const COMPARISONS_IN_A_STEP = 512

/**
 * Whether a pattern of `*` and `?` matches the whole text. Takes time proportional to the product of both
 * lengths at worst.
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  let at = 0
  let item = 0
  // Where to continue after a failed attempt: after the last star, which then matches one character more.
  // Earlier stars do not need a second attempt.
  let starItem = -1
  let starAt = 0
  while (at < text.length) {
    if (pattern[item] === '*') {
      starItem = ++item
      starAt = at
    } else if (item < pattern.length && (pattern[item] === '?' || pattern[item] === text[at])) {
      item++
      at++
    } else if (starItem >= 0) {
      item = starItem
      at = ++starAt
    } else return false
  }
  while (pattern[item] === '*') item++
  return item === pattern.length
}
