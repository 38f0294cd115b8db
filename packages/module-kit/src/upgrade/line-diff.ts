/** The lines in which two texts differ, as `diff -U0` prints them after the file names. */
export function lineDiff(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  const lines: string[] = []
  for (let [i, j] = [0, 0]; i < old.length || j < now.length; ) {
    if (i < old.length && old[i] === now[j]) {
      i++
      j++
      continue
    }
    const [oldEnd, nowEnd] = nextCommon(old, i, now, j)
    lines.push(`@@ -${span(i, oldEnd)} +${span(j, nowEnd)} @@`)
    for (; i < oldEnd; i++) lines.push(`-${old[i]}`)
    for (; j < nowEnd; j++) lines.push(`+${now[j]}`)
  }
  return lines
}

/** The next position at which both texts continue with equal lines, skipping as few lines as possible. */
function nextCommon(old: readonly string[], i: number, now: readonly string[], j: number): readonly [number, number] {
  const most = old.length - i + now.length - j
  for (let passed = 1; passed < most; passed++) {
    // Tries equal numbers of skipped lines first: most edits keep the number of lines.
    for (let skew = passed % 2; skew <= passed; skew += 2) {
      for (const ofOld of [(passed + skew) / 2, (passed - skew) / 2]) {
        const [a, b] = [i + ofOld, j + passed - ofOld]
        if (a < old.length && b < now.length && old[a] === now[b]) return [a, b]
      }
    }
  }
  return [old.length, now.length]
}

function span(start: number, end: number): string {
  const count = end - start
  return count === 1 ? `${start + 1}` : `${count === 0 ? start : start + 1},${count}`
}
