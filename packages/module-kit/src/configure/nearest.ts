/** `did you mean --disable-status?`, or undefined if no known name is similar. */
export function hintFor(name: string, known: readonly string[], before: string): string | undefined {
  const found = nearest(name, known)
  return found === undefined ? undefined : `did you mean ${before}${found}?`
}

/** The known name that differs in the fewest letters, if the difference is small. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const most = Math.ceil(name.length / 3)
  let best: string | undefined
  let least = most + 1
  for (const candidate of known) {
    const changes = editDistance(name, candidate)
    if (changes < least) [best, least] = [candidate, changes]
  }
  return best
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let at = 1; at <= left.length; at++) {
    const next = [at]
    for (let to = 1; to <= right.length; to++) {
      const replaced = row[to - 1] + (left[at - 1] === right[to - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[to] + 1, next[to - 1] + 1))
    }
    row = next
  }
  return row[right.length]
}
