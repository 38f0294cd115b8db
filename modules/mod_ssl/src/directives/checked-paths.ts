import { statSync } from 'node:fs'
import type { Command } from '@gatewright/api'

/** A path that was checked, or why it is refused. */
export type CheckedPath = { readonly path: string } | { readonly error: string }

/** A regular file that is not empty. */
export function checkedFile(text: string, command: Command): CheckedPath {
  const path = command.serverRelative(text)
  const found = statOf(path)
  if (found?.isFile() === true && found.size > 0) return { path }
  return { error: `${command.name}: file '${path}' does not exist or is empty` }
}

/** A folder. */
export function checkedFolder(text: string, command: Command): CheckedPath {
  const path = command.serverRelative(text)
  if (statOf(path)?.isDirectory() === true) return { path }
  return { error: `${command.name}: directory '${path}' does not exist` }
}

/** True when there is something at a path. */
export function exists(path: string): boolean {
  return statOf(path) !== undefined
}

function statOf(path: string): ReturnType<typeof statSync> {
  try {
    return statSync(Buffer.from(path, 'latin1'), { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
