import type { SurfaceChange } from './compare.ts'

/** What the changes since the accepted report make of the API's version. */
export interface Verdict {
  /** True when the version says what the changes are. */
  readonly fits: boolean
  /** What to do when it does not. */
  readonly advice: string
}

/** `released` when the version of the accepted report is in use; `unreleased` when additions may still join it. */
export type VersionState = 'released' | 'unreleased'

/**
 * The rules of packages/api/README.md: a break needs another line, an addition another N. A frozen line allows neither.
 * @param accepted version of the report, @param current what the API says of itself
 */
export function judge(
  changes: readonly SurfaceChange[],
  accepted: string,
  current: string,
  rules: { readonly frozen: boolean; readonly state: VersionState },
): Verdict {
  const { frozen, state } = rules
  if (frozen && (changes.length > 0 || accepted !== current)) {
    return { fits: false, advice: 'this line of the API is frozen: revert the change' }
  }
  const before = parts(accepted)
  const now = parts(current)
  if (now.line < before.line || (now.line === before.line && now.n < before.n))
    return { fits: false, advice: `the version went back from ${accepted} to ${current}: numbers only grow` }
  if (now.line > before.line) return { fits: true, advice: '' }
  if (changes.some(({ kind }) => kind === 'breaking')) {
    return {
      fits: false,
      advice: `modules built for ${accepted} may break: keep the old declarations next to the new ones, or begin a new line (API_VERSION and MODULE_MAGIC_COOKIE)`,
    }
  }
  if (changes.length > 0 && now.n === before.n && state === 'released') {
    return {
      fits: false,
      advice: `an addition needs a number of its own: API_VERSION above ${accepted}, with a line of its history (packages/api/src/version.ts); or, where ${accepted} is not released yet, npm run api:accept -- --unreleased`,
    }
  }
  return { fits: true, advice: '' }
}

function parts(version: string): { readonly line: number; readonly n: number } {
  const [major, minor, n] = version.split('.').map(Number)
  return { line: major * 1000 + minor, n }
}
