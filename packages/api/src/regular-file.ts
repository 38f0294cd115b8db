import { readFileSync, statSync } from 'node:fs'
import type { ModuleLog } from './log.ts'
import type { Request } from './request.ts'
import { systemError } from './text/system-error.ts'

/** The path leads to a directory, a pipe or a device, which must not be read. */
class NotRegularFile extends Error {
  override readonly name = 'NotRegularFile'
}

/** The error that httpd reports for a descriptor that it has closed because it is not a regular file. */
const BAD_DESCRIPTOR = systemError(9)

/** The device that httpd reads as an empty file: no users and no groups. */
const NO_FILE = '/dev/null'

/**
 * The bytes of a regular file, one character each; empty for exactly `/dev/null`.
 * @throws an error that {@link logUnreadable} explains
 */
export function readRegularFile(path: string): string {
  if (path === NO_FILE) return ''
  // A path is bytes, too. The file type is checked before opening, because opening a pipe would wait.
  const name = Buffer.from(path, 'latin1')
  if (!statSync(name).isFile()) throw new NotRegularFile(path)
  return readFileSync(name, 'latin1')
}

/** Logs that a file cannot be read, after an extra line if it is not a regular file. */
export function logUnreadable(log: ModuleLog, request: Request, path: string, error: unknown, code: string, text: string): void {
  if (!(error instanceof Error)) throw error
  // Compared by name, because the host has its own class.
  const irregular = error.name === 'NotRegularFile'
  if (irregular) log.write(null, 'error', 'AH00554', `Access to file ${path} denied by server: not a regular file`)
  log.write(request, 'error', code, `${text}: ${path}`, irregular ? BAD_DESCRIPTOR : error)
}
