import { compileCacheFolder } from '@gatewright/mpm/compile-cache'
import { buildDate } from '@gatewright/mpm/role'
import {
  launch,
  type Program,
  type StartConsole,
  type StartOptions,
  type SuperviseTask,
  serveHere,
} from '@gatewright/mpm/supervisor'
import type { HttpdOptions } from './options.ts'
import { COMPILE_CACHE, ENTRY, PROGRAM } from './program.ts'

/** Names that keep the server in the foreground. */
const ATTACHED = ['FOREGROUND', 'DEBUG', 'ONE_PROCESS', 'NO_DETACH']

/**
 * Starts a server, in the background or in the foreground, where this returns after its end. @returns the
 * exit status
 */
export function startServer(options: HttpdOptions, start: StartOptions, console: StartConsole): Promise<number> {
  const task: SuperviseTask = {
    start,
    commandLine: options.normalised === '' ? PROGRAM : `${PROGRAM} ${options.normalised}`,
    built: buildDate(ENTRY),
    startupLevel: options.startupLevel,
    onlyOneWorker: options.defines.some((name) => name === 'DEBUG' || name === 'ONE_PROCESS'),
    ...(options.inspectPort !== null && { inspectPort: options.inspectPort }),
  }
  const attached = options.defines.some((name) => ATTACHED.includes(name))
  return attached ? serveHere(task, thisProgram(), console) : launch(task, thisProgram(), console)
}

/** How this program is started again in another role. */
export function thisProgram(): Program {
  return {
    executable: process.execPath,
    nodeArguments: process.execArgv,
    entry: ENTRY,
    compileCache: compileCacheFolder(COMPILE_CACHE),
  }
}
