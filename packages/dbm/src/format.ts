import { isBerkeleyMagic } from './berkeley/meta.ts'
import { type DbmError, driverError } from './dbm-error.ts'
import type { FileBytes } from './file-bytes.ts'
import { isGdbmMagic } from './gdbm/header.ts'

/** Detects a single-file format by its magic number alone. Opening the file shows whether it can be read. */
export function recognise(file: FileBytes): 'gdbm' | 'db' | undefined {
  const gdbmMagic = file.read(0, 4)
  if (gdbmMagic !== undefined && isGdbmMagic(gdbmMagic.readUInt32LE())) return 'gdbm'
  const berkeleyMagic = file.read(12, 4)
  if (berkeleyMagic === undefined) return undefined
  return isBerkeleyMagic(berkeleyMagic.readUInt32LE()) || isBerkeleyMagic(berkeleyMagic.readUInt32BE()) ? 'db' : undefined
}

/** The error for a file in none of the supported formats. */
export function noDbmFile(path: string): DbmError {
  const EINVAL = 22
  return driverError(EINVAL, `${path} is neither a GDBM nor a Berkeley DB file`)
}
