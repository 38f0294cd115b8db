/** The capturing groups of a compiled pattern, numbered as in the PCRE pattern. */
export interface PatternGroups {
  /** Number of groups, excluding the whole match. */
  readonly count: number
  /** Name to number. If several groups have the name: the last one. */
  readonly names: ReadonlyMap<string, number>
  /**
   * Names by number, `undefined` for unnamed groups. A name may occur more than once here, as PCRE allows in
   * httpd.
   */
  readonly labels: readonly (string | undefined)[]
  /**
   * Groups whose text can differ from PCRE's (0 = the whole match), although the pattern matches the same
   * subjects: groups that a later iteration may leave unset, and groups in a repetition that can match
   * nothing.
   */
  readonly unsteady: ReadonlySet<number>
}

// Kept in a separate map: an additional property on the RegExp would disable V8's fast path for `test` and
// `exec`.
const known = new WeakMap<RegExp, PatternGroups>()

/** The groups of a RegExp that compilePattern made; for any other RegExp, the groups in its source. */
export function patternGroups(regexp: RegExp): PatternGroups {
  return known.get(regexp) ?? registerGroups(regexp, groupsOfSource(regexp), new Set())
}

export function registerGroups(
  regexp: RegExp,
  labels: readonly (string | undefined)[],
  unsteady: ReadonlySet<number>,
): PatternGroups {
  const names = new Map<string, number>()
  labels.forEach((name, number) => {
    if (name !== undefined) names.set(name, number)
  })
  const groups = { count: labels.length - 1, names, labels: [...labels], unsteady }
  known.set(regexp, groups)
  return groups
}

/** An empty alternative makes any pattern match the empty string, so the match shows the groups. */
function groupsOfSource(regexp: RegExp): (string | undefined)[] {
  const match = new RegExp(`${regexp.source}|`, regexp.flags.replace(/[gy]/g, '')).exec('')
  return Array.from({ length: match?.length ?? 1 }, () => undefined)
}
