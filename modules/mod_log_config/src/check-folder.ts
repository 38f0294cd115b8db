import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { LogLine } from './config.ts'
import { isProgram } from './program.ts'

/** The error text when the folder of a log file is not there, so that a wrong path stops the start (and `-t`) instead of the first request. */
export function checkFolder(log: LogLine): string | undefined {
  if (isProgram(log.target)) return undefined
  const folder = dirname(log.target)
  const reason = whyMissing(folder)
  if (reason === undefined) return undefined
  const shown = folder.endsWith('/') ? folder : `${folder}/`
  return `${reason}: AH02297: Cannot access directory '${shown}' for log file '${log.written}' defined at ${log.file}:${log.line}`
}

function whyMissing(folder: string): string | undefined {
  try {
    return statSync(folder).isDirectory() ? undefined : NOT_A_DIRECTORY
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return REASONS.get(code) ?? `(${code})Cannot be read`
  }
}

const NOT_A_DIRECTORY = '(20)Not a directory'

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', '(2)No such file or directory'],
  ['EACCES', '(13)Permission denied'],
  ['ENOTDIR', NOT_A_DIRECTORY],
  ['ENAMETOOLONG', '(36)File name too long'],
  ['ELOOP', '(40)Too many levels of symbolic links'],
])
