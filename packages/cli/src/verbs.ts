import { isatty } from 'node:tty'
import { ConfigError } from '@gatewright/core'
import type { StartOptions } from '@gatewright/mpm/reader'
import { askReload, damagedPidFileLines, readPidFile, runningServer, type StartConsole } from '@gatewright/mpm/supervisor'
import { readHere } from './inspect.ts'
import type { HttpdOptions, Verb } from './options.ts'

const STOPS = { stop: 'SIGTERM', 'graceful-stop': 'SIGWINCH' } as const
const RELOADS = { restart: 'SIGHUP', graceful: 'SIGUSR1', upgrade: 'SIGUSR2' } as const

/**
 * The configuration names the file with the server's pid, so without a configuration no server can be
 * signalled.
 */
const NOT_STOPPED =
  'hint: no server was stopped: correct the configuration, which names the pid file, or signal the process in that file yourself'
const NOT_TOLD = 'hint: the running server was not signalled and keeps its current configuration'

/**
 * Time that a command waits for the outcome of a reload (s): a reader or a worker that does not finish is
 * ended after 60.
 */
const PATIENCE = 75

/**
 * Signals the running server, after checking the configuration, which names its pid file: a broken one
 * changes nothing. Waits for the outcome of a reload.
 * @returns the exit status, or null if there is no server to restart and one must be started
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
    console.err(verb in STOPS ? NOT_STOPPED : NOT_TOLD)
    return 1
  }
  const path = read.plan.pidFile
  const content = readPidFile(path)
  if (content.kind === 'damaged') {
    for (const line of damagedPidFileLines(path, content.cause)) console.err(line)
    return 1
  }
  const running = runningServer(path, content)
  if (verb === 'stop' || verb === 'graceful-stop') {
    if (running !== undefined) process.kill(running, STOPS[verb])
    else console.out(`httpd (${content.kind === 'absent' ? 'no pid file' : `pid ${content.pid}?`}) not running`)
    return 0
  }
  if (running !== undefined) return reloadServer(running, RELOADS[verb], path, console)
  console.out('httpd not running, trying to start')
  return null
}

async function reloadServer(
  pid: number,
  how: 'SIGHUP' | 'SIGUSR1' | 'SIGUSR2',
  pidFile: string,
  console: StartConsole,
): Promise<number> {
  const onWaiting = (): void => {
    if (isatty(2)) console.err(`httpd: waiting until the server (pid ${pid}) serves the new configuration ...`)
  }
  const outcome = await askReload({ pid, how, pidFile, patience: PATIENCE * 1000, onWaiting })
  switch (outcome.kind) {
    case 'serving':
    case 'untold':
      return 0
    case 'refused':
      for (const line of outcome.lines) console.err(line)
      console.err(
        how === 'SIGUSR2'
          ? `httpd: the installed program cannot take over from the server (pid ${pid}), which continues to run unchanged`
          : `httpd: the server (pid ${pid}) cannot use the new configuration and keeps its current one`,
      )
      console.err('hint: see the error log for details')
      return 1
    case 'irreplaceable':
      console.err(
        `httpd: the server (pid ${pid}) cannot be taken over: it runs in the foreground, or its version does not support upgrades`,
      )
      console.err(
        'hint: stop it and start it again; -k graceful loads the installed modules and workers, everything except the supervisor',
      )
      return 1
    case 'over':
      console.err(`httpd: the server (pid ${pid}) ended before the new configuration was active`)
      console.err('hint: see the error log for the reason')
      return 1
    case 'unknown':
      console.err(`httpd: the server (pid ${pid}) did not report whether it serves the new configuration`)
      console.err(`hint: see the error log; ${pidFile}.state could not be written (disk full?)`)
      return 1
    case 'late':
      console.err(
        `httpd: the server (pid ${pid}) does not yet serve the new configuration after ${PATIENCE} seconds; it continues to try`,
      )
      console.err('hint: the error log reports the outcome')
      return 1
  }
}
