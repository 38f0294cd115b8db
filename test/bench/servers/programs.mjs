import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The search path for programs: servers are often installed in folders that only root's PATH contains. */
export const PROGRAM_PATH = [process.env.PATH, '/usr/local/sbin', '/usr/sbin'].join(delimiter)

export function isInstalled(program) {
  return PROGRAM_PATH.split(delimiter).some((folder) => isExecutable(join(folder, program)))
}

/** The version that a server prints, as in Apache/2.4.66; undefined if it prints none. */
export function versionOf(program, option = '-v', form = /[A-Za-z]+\/\d[\w.]*/) {
  const { stdout, stderr } = spawnSync(program, [option], { env: { ...process.env, PATH: PROGRAM_PATH }, encoding: 'utf8' })
  return `${stdout}${stderr}`.match(form)?.[0]
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
