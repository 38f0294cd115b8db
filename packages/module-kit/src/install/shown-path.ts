/** A path as files of an installation name it: below the prefix without it, as httpd does, any other as it is. An empty prefix has nothing below it. */
export function belowPrefix(path: string, prefix: string): string {
  if (path === prefix) return '.'
  return prefix !== '' && path.startsWith(`${prefix}/`) ? path.slice(prefix.length + 1) : path
}
