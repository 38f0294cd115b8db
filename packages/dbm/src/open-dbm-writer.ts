import { type DbmError, noDriverError, unknownTypeError } from './dbm-error.ts'
import { parseDbmType } from './dbm-type.ts'
import { FileBytes, isAbsent } from './file-bytes.ts'
import { noDbmFile, recognise } from './format.ts'
import { openGdbmWriter } from './gdbm/writer.ts'
import { openSdbmWriter } from './sdbm/writer.ts'
import type { DbmWriter, DbmWriterMode } from './writer.ts'

/**
 * Opens a DBM file for changes. Waits up to 5 s if another writer has it open.
 *
 * @param path one character a byte; SDBM always appends its extensions
 * @param type a `DbmType` in any case. `default` is GDBM if there is a GDBM file, else SDBM, which every
 *   build of httpd has: what `openDbm` finds under that name later. `DB` cannot be written
 * @throws DbmError numbered as httpd's tools number the same failure; 20019 if there is no driver for writing
 */
export function openDbmWriter(path: string, type: string, mode: DbmWriterMode): DbmWriter {
  switch (parseDbmType(type)) {
    case 'sdbm':
      return openSdbmWriter(path, mode)
    case 'gdbm':
      return openGdbmWriter(path, mode)
    case 'default':
      return openAnyWriter(path, mode)
    case 'db':
      throw onlyRead(path)
    case undefined:
      throw unknownTypeError(type)
  }
}

function openAnyWriter(path: string, mode: DbmWriterMode): DbmWriter {
  if (isAbsent(path)) return openSdbmWriter(path, mode)
  const file = new FileBytes(path)
  const format = recognise(file)
  file.close()
  switch (format) {
    case 'gdbm':
      return openGdbmWriter(path, mode)
    case 'db':
      throw onlyRead(path)
    case undefined:
      throw noDbmFile(path)
  }
}

function onlyRead(path: string): DbmError {
  return noDriverError(`${path}: Berkeley DB files (type DB) can be read, not written: choose SDBM or GDBM`)
}
