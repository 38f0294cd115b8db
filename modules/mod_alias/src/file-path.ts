import { posix } from 'node:path'

/**
 * Makes a target absolute and normalizes it: a relative target refers to the ServerRoot; `.`, `..` and
 * repeated slashes are removed; a trailing slash is kept. As in httpd, an empty target is the ServerRoot
 * itself.
 */
export function absolutePath(serverRoot: string, path: string): string {
  if (path.startsWith('/') && !NEEDS_WORK.test(path)) return path
  return path.startsWith('/') ? posix.normalize(path) : posix.normalize(`${serverRoot}/${path}`)
}

const NEEDS_WORK = /\/\/|\/\.\.?(?:\/|$)/
