import type { Command } from '@gatewright/api'

/** A path that was checked, or why it is refused. */
export type CheckedPath = { readonly path: string } | { readonly error: string }

/** A regular file that is not empty. */
export function checkedFile(text: string, command: Command): CheckedPath {
  const path = command.serverRelative(text)
  if (command.services.fileKind(path) === 'file') return { path }
  return { error: `${command.name}: file '${path}' does not exist or is empty` }
}

/** A folder. */
export function checkedFolder(text: string, command: Command): CheckedPath {
  const path = command.serverRelative(text)
  if (command.services.fileKind(path) === 'directory') return { path }
  return { error: `${command.name}: directory '${path}' does not exist` }
}

/** True when there is something at a path. */
export function exists(path: string, command: Command): boolean {
  return command.services.fileKind(path) !== 'missing'
}
