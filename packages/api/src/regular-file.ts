import { readFileSync, statSync } from 'node:fs'
import type { ModuleLog } from './log.ts'
import type { Request } from './request.ts'

/** The path names something that must not be read: a directory, a pipe, a device. */
class NotRegularFile extends Error {
  override readonly name = 'NotRegularFile'
}

/** httpd's message about a descriptor that it has closed because it is not a regular file. */
const BAD_DESCRIPTOR = { code: 9, text: 'Bad file descriptor' }

/** The device that httpd reads as a file: what names it has no users and no groups. */
const NO_FILE = '/dev/null'

/**
 * The bytes of a regular file, one character each; of /dev/null, by this very name, none.
 * @throws an error that {@link logUnreadable} explains
 */
export function readRegularFile(path: string): string {
  if (path === NO_FILE) return ''
  // A path is bytes, too; asked before it is opened, because opening a pipe would wait.
  const name = Buffer.from(path, 'latin1')
  if (!statSync(name).isFile()) throw new NotRegularFile(path)
  return readFileSync(name, 'latin1')
}

/** Logs that a file cannot be read; what is no regular file has a line of its own before that. */
export function logUnreadable(log: ModuleLog, request: Request, path: string, error: unknown, code: string, text: string): void {
  if (!(error instanceof Error)) throw error
  // By its name: the host has a class of its own.
  const irregular = error.name === 'NotRegularFile'
  if (irregular) log.write(null, 'error', 'AH00554', `Access to file ${path} denied by server: not a regular file`)
  log.write(request, 'error', code, `${text}: ${path}`, irregular ? BAD_DESCRIPTOR : error)
}
