import { openBerkeley, readBerkeley } from './berkeley/reader.ts'
import { DbmError, unknownTypeError } from './dbm-error.ts'
import { parseDbmType } from './dbm-type.ts'
import { FileBytes } from './file-bytes.ts'
import { noDbmFile, recognise } from './format.ts'
import { openGdbm, readGdbm } from './gdbm/reader.ts'
import type { DbmReader } from './reader.ts'
import { openSdbm, sdbmFiles } from './sdbm/reader.ts'

/**
 * Opens a DBM file for reading.
 *
 * @param path as configured, one character a byte; SDBM always appends its extensions
 * @param type as configured: a `DbmType` in any case
 * @throws DbmError numbered as httpd 2.4.71 numbers the same failure. For `default`, where httpd has one
 *   fixed driver, it is the system's number if the file does not exist or cannot be read, and Berkeley DB's
 *   (120022) if it is not a DBM file
 */
export function openDbm(path: string, type: string): DbmReader {
  switch (parseDbmType(type)) {
    case 'sdbm':
      return openSdbm(path)
    case 'gdbm':
      return openGdbm(path)
    case 'db':
      return openBerkeley(path)
    case 'default':
      return openAny(path)
    default:
      throw unknownTypeError(type)
  }
}

/**
 * The files that determine the result of `openDbm` with the same arguments. A cached result is valid as long
 * as none of them has changed, appeared or disappeared. With `default`, not all of them exist.
 * @throws DbmError if the type is unknown
 */
export function dbmFiles(path: string, type: string): string[] {
  switch (parseDbmType(type)) {
    case 'sdbm':
      return sdbmFiles(path)
    case 'gdbm':
    case 'db':
      return [path]
    case 'default':
      return [path, ...sdbmFiles(path)]
    default:
      throw unknownTypeError(type)
  }
}

const ENOENT = 2

function openAny(path: string): DbmReader {
  let file: FileBytes
  try {
    file = new FileBytes(path)
  } catch (error) {
    if (error instanceof DbmError && error.code === ENOENT) return openSdbm(path)
    throw error
  }
  switch (recognise(file)) {
    case 'gdbm':
      return readGdbm(file)
    case 'db':
      return readBerkeley(file)
    default:
      file.close()
      throw noDbmFile(path)
  }
}
