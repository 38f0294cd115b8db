import type { SurfaceChange } from './compare.ts'

/** The version that the changes since the accepted report require. */
export interface Verdict {
  /** True if the version matches the changes. */
  readonly fits: boolean
  /** The solution if it does not. */
  readonly advice: string
}

/** `released` when the version of the accepted report is in use; `unreleased` when additions may still join it. */
export type VersionState = 'released' | 'unreleased'

/**
 * Applies the rules of packages/api/README.md: a breaking change requires another line, an addition another
 * N. A frozen line allows neither.
 * @param accepted version in the report, @param current version in the source
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
