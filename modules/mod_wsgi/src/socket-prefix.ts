import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/**
 * What the path of the runner's folder begins with where WSGISocketPrefix is not set: a path in the runtime folder. Workers, which
 * do not keep the privileges of the start, must reach it: if not every user may search the runtime folder, it is elsewhere.
 * @param isPrivileged whether the workers have another user than this process
 */
export function usualSocketPrefix(runtimePrefix: string, isPrivileged: boolean): string {
  if (!isPrivileged || everybodySearches(dirname(resolve(runtimePrefix)))) return runtimePrefix
  return join(tmpdir(), 'gatewright-wsgi')
}

function everybodySearches(folder: string): boolean {
  try {
    return (statSync(folder).mode & 0o001) !== 0 && (folder === dirname(folder) || everybodySearches(dirname(folder)))
  } catch {
    return false
  }
}
