/** True when a name of AddIcon, AddAlt or IndexIgnore is a pattern. Brackets are ordinary characters there. */
export function isWildcard(name: string): boolean {
  return name.includes('*') || name.includes('?')
}

/** About how many microseconds a match takes at worst. */
export function stepsOfMatch(text: string, pattern: string): number {
  return 1 + (text.length * pattern.length) / COMPARISONS_IN_A_STEP
}

const COMPARISONS_IN_A_STEP = 512

/** True when the whole text matches a pattern of `*` and `?`. Takes time proportional to both lengths at worst. */
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
