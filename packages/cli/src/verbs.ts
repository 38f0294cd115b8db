import { ConfigError } from '@gatewright/core'
import type { StartOptions } from '@gatewright/mpm/reader'
import { damagedPidFileLines, readPidFile, runningServer, type StartConsole } from '@gatewright/mpm/supervisor'
import { readHere } from './inspect.ts'
import type { HttpdOptions, Verb } from './options.ts'

const SIGNALS: Readonly<Record<Exclude<Verb, 'start'>, NodeJS.Signals>> = {
  stop: 'SIGTERM',
  'graceful-stop': 'SIGWINCH',
  restart: 'SIGHUP',
  graceful: 'SIGUSR1',
}

/**
 * Signals the running server, after a look at the configuration, which says where its number is: a broken one changes nothing.
 * @returns the exit status, or null when there is none to restart and one is to be started
 */
export async function signalServer(
  verb: Exclude<Verb, 'start'>,
  options: HttpdOptions,
  start: StartOptions,
  console: StartConsole,
): Promise<number | null> {
  const read = await readHere(options, start, console)
  if (read instanceof ConfigError) {
    for (const line of read.lines(start.program)) console.err(line)
    return 1
  }
  const path = read.plan.pidFile
  const content = readPidFile(path)
  if (content.kind === 'damaged') {
    for (const line of damagedPidFileLines(path, content.cause)) console.err(line)
    return 1
  }
  const running = runningServer(content)
  if (running !== undefined) {
    process.kill(running, SIGNALS[verb])
    return 0
  }
  if (verb === 'restart' || verb === 'graceful') {
    console.out('httpd not running, trying to start')
    return null
  }
  console.out(`httpd (${content.kind === 'absent' ? 'no pid file' : `pid ${content.pid}?`}) not running`)
  return 0
}
