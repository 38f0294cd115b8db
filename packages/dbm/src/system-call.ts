import { errnoOf, systemError } from './dbm-error.ts'

/**
 * Runs one file system call on a path.
 * @throws DbmError instead of what Node throws
 */
export function systemCall<T>(path: string, call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw systemError(errnoOf(error), `${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
