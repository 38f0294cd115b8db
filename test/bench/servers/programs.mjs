import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Where programs are looked for: servers often lie where only root's PATH leads. */
export const PROGRAM_PATH = [process.env.PATH, '/usr/local/sbin', '/usr/sbin'].join(delimiter)

export function isInstalled(program) {
  return PROGRAM_PATH.split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
