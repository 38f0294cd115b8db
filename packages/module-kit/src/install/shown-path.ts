/** A path as files of an installation name it: below the prefix without it, as httpd does, any other as it is. */
export function belowPrefix(path: string, prefix: string): string {
  if (path === prefix) return '.'
  return path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path
}
