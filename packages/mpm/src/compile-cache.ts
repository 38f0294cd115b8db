import { mkdirSync, statSync } from 'node:fs'

/**
 * The folder in which Node keeps compiled code between starts; created if it does not exist. Null if the
 * folder belongs to another user or others can write to it: any user that can write compiled code there runs
 * it with the rights of this process.
 */
export function compileCacheFolder(path: string): string | null {
  try {
    mkdirSync(path, { mode: 0o755 })
  } catch {
    // It exists, or cannot be created; statSync below decides.
  }
  const stat = statSync(path, { throwIfNoEntry: false })
  const isSafe = stat?.isDirectory() === true && stat.uid === process.geteuid?.() && (stat.mode & 0o022) === 0
  return isSafe ? path : null
}
