/** The capturing groups of a compiled pattern, numbered as in the PCRE pattern. */
export interface PatternGroups {
  /** Number of groups, without the whole match. */
  readonly count: number
  /** Name to number. Where several groups have the name: the last one. */
  readonly names: ReadonlyMap<string, number>
  /** Names by number, `undefined` for groups without; here a name may come more than once, as PCRE allows in httpd. */
  readonly labels: readonly (string | undefined)[]
  /**
   * Groups whose text can differ from PCRE's (0 = the whole match), although the pattern matches the same subjects: those
   * that a later round of a repetition need not set, and those in a repetition that can match nothing.
   */
  readonly unsteady: ReadonlySet<number>
}

// Beside the RegExp and not on it: a property of its own would cost it V8's fast path for `test` and `exec`.
const known = new WeakMap<RegExp, PatternGroups>()

/** The groups of a RegExp that compilePattern made; of any other, what its source says. */
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

/** An empty alternative makes any pattern match the empty string, and the match shows the groups. */
function groupsOfSource(regexp: RegExp): (string | undefined)[] {
  const match = new RegExp(`${regexp.source}|`, regexp.flags.replace(/[gy]/g, '')).exec('')
  return Array.from({ length: match?.length ?? 1 }, () => undefined)
}
