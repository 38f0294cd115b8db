import { posix } from 'node:path'

const DOT = 46
const SLASH = 47

/**
 * Returns an absolute path without empty, `.` and `..` segments, as sections and walks name folders; a
 * trailing slash stays.
 */
export function canonicalPath(path: string): string {
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) {
    const next = path.charCodeAt(at + 1)
    if (next === SLASH || next === DOT) return posix.normalize(path)
  }
  return path
}

/** Removes slashes at the end; `/` stays. */
export function trimSlash(path: string): string {
  let end = path.length
  while (end > 1 && path.charCodeAt(end - 1) === SLASH) end--
  return end === path.length ? path : path.slice(0, end)
}
