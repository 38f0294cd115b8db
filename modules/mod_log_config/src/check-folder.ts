import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { OsError, Problem } from '@gatewright/api'
import { systemError } from '@gatewright/api/text'
import type { LogLine } from './config.ts'
import { isProgram } from './program.ts'

/** Reports a log file whose folder is missing, so that a wrong path stops the start (and `-t`). */
export function checkFolder(log: LogLine): Problem | undefined {
  if (isProgram(log.target)) return undefined
  const folder = dirname(log.target)
  const cause = whyMissing(folder)
  if (cause === undefined) return undefined
  const shown = folder.endsWith('/') ? folder : `${folder}/`
  return {
    code: 'AH02297',
    message: `Cannot access directory '${shown}' for log file '${log.written}' defined at ${log.file}:${log.line}`,
    cause,
  }
}

function whyMissing(folder: string): OsError | Error | undefined {
  try {
    return statSync(folder).isDirectory() ? undefined : NOT_A_DIRECTORY
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

const NOT_A_DIRECTORY: OsError = systemError(20)
