import { mkdirSync, statSync } from 'node:fs'

/**
 * The folder in which Node keeps compiled code between starts, made when it is missing. Null when it is not this user's own or others may write to it:
 * who can write compiled code there runs it with this process's rights.
 */
export function compileCacheFolder(path: string): string | null {
  try {
    mkdirSync(path, { mode: 0o755 })
  } catch {
    // It is there, or cannot be; the look at it tells.
  }
  const stat = statSync(path, { throwIfNoEntry: false })
  const isSafe = stat?.isDirectory() === true && stat.uid === process.geteuid?.() && (stat.mode & 0o022) === 0
  return isSafe ? path : null
}
