import { posix } from 'node:path'

/**
 * A target made absolute and normal: relative ones start from the ServerRoot, `.` and `..` and repeated slashes go away, a slash at the end stays.
 * An empty target is the ServerRoot itself, as in httpd.
 */
export function absolutePath(serverRoot: string, path: string): string {
  if (path.startsWith('/') && !NEEDS_WORK.test(path)) return path
  return path.startsWith('/') ? posix.normalize(path) : posix.normalize(`${serverRoot}/${path}`)
}

const NEEDS_WORK = /\/\/|\/\.\.?(?:\/|$)/
