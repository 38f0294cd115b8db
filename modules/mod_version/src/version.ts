/** Major, minor and patch number. */
export type Version = readonly [major: number, minor: number, patch: number]

export const VERSION_FORMAT_ERROR: string =
  'Version appears to be invalid. It must have the format major[.minor[.patch]] where major, minor and patch are numbers.'

/** Reads `2`, `2.4`, `2.4.71`; missing parts count as 0, a dot at the end is accepted as httpd does. Undefined for anything else. */
export function parseVersion(text: string): Version | undefined {
  const parts = /^(\d+)(?:\.(\d+)(?:\.(\d+))?)?\.?$/.exec(text)
  if (parts === null) return undefined
  return [Number(parts[1]), Number(parts[2] ?? 0), Number(parts[3] ?? 0)]
}

/** Negative, 0 or positive as `a` is older, equal or newer. */
export function comparisonOf(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}
