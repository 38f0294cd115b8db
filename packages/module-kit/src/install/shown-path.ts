/**
 * A path as written in the files of an installation: below the prefix it is relative, as in httpd; any other
 * path is unchanged. An empty prefix has no paths below it.
 */
export function belowPrefix(path: string, prefix: string): string {
  if (path === prefix) return '.'
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path
}
