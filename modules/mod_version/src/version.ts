/** Major, minor and patch number. */
export type Version = readonly [major: number, minor: number, patch: number]

export const VERSION_FORMAT_ERROR: string =
  'Version appears to be invalid. It must have the format major[.minor[.patch]] where major, minor and patch are numbers.'

/**
 * Parses `2`, `2.4`, `2.4.71`; missing parts are 0, and as in httpd a dot at the end is accepted. undefined
 * for anything else.
 */
export function parseVersion(text: string): Version | undefined {
  const parts = /^(\d+)(?:\.(\d+)(?:\.(\d+))?)?\.?$/.exec(text)
  if (parts === null) return undefined
  return [Number(parts[1]), Number(parts[2] ?? 0), Number(parts[3] ?? 0)]
}

/** Negative if `a` is older, 0 if equal, positive if newer. */
export function comparisonOf(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}
