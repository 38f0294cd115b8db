import { constants } from 'node:os'
import type { SuperviseTask } from '../roles/messages.ts'
import type { ProcessEnd } from '../roles/role-process.ts'
import type { Owner } from '../start/credentials.ts'
import { signalText } from './signal-text.ts'
import type { SupervisorLog } from './supervisor-log.ts'

/** Signals that end the server. */
export type Stop = 'SIGTERM' | 'SIGINT' | 'SIGWINCH'

/** Signals that reload the configuration: closing connections, or gracefully. */
export type Reload = 'SIGHUP' | 'SIGUSR1'

/** The signal that makes the installed program take over the server. */
export type Upgrade = 'SIGUSR2'

/** The server serves a configuration. */
export function logServing(log: SupervisorLog, product: string, task: SuperviseTask): void {
  log.write('mpm_event', 'notice', 'AH00489', `${product} configured -- resuming normal operations`)
  log.write('mpm_event', 'info', 'AH00490', `Server built: ${task.built}`)
  log.write('core', 'notice', 'AH00094', `Command line: '${task.commandLine}'`)
}

/**
 * A server that root starts without User continues as root: a vulnerability in it exposes the whole machine.
 */
export function logRoot(log: SupervisorLog, { user }: Owner): void {
  if (process.geteuid?.() !== 0 || user !== null) return
  log.write('unixd', 'warn', '', 'the server runs as root because the configuration sets no User and Group: add both')
}

export function logReload(log: SupervisorLog, how: Reload): void {
  if (how === 'SIGHUP') log.write('mpm_event', 'notice', 'AH00494', 'SIGHUP received.  Attempting to restart')
  else log.write('mpm_event', 'notice', 'AH00493', 'SIGUSR1 received.  Doing graceful restart')
}

/** A module asks for new workers. */
export function logRenewal(log: SupervisorLog): void {
  log.write('mpm_event', 'notice', '', 'files of a module have changed: new workers take over with the same configuration')
}

export function logUpgrade(log: SupervisorLog): void {
  log.write('mpm_event', 'notice', '', 'SIGUSR2 received: starting the installed program, which takes over')
}

/** @param pid of the successor */
export function logTakenOver(log: SupervisorLog, pid: number): void {
  log.write(
    'mpm_event',
    'notice',
    '',
    `the supervisor with pid ${pid} has taken over; this process completes its active requests`,
  )
}

/** The server ends. `pidFile` is the file that was removed, or null. */
export function logStop(log: SupervisorLog, how: Stop, pidFile: string | null): void {
  if (pidFile !== null) log.write('core', 'info', 'AH00096', `removed PID file ${pidFile} (pid=${process.pid})`)
  if (how === 'SIGWINCH') log.write('mpm_event', 'notice', 'AH00492', 'caught SIGWINCH, shutting down gracefully')
  else log.write('mpm_event', 'notice', 'AH00491', 'caught SIGTERM, shutting down')
}

/** A worker ended unexpectedly. `lines` is its own report. */
export function logDeath(log: SupervisorLog, end: ProcessEnd, lines: readonly string[]): void {
  for (const line of lines) log.writeLine(line)
  if (end.signal === null)
    log.write('core', 'error', '', `child pid ${end.pid} ended with exit status ${end.status ?? 'unknown'} and is replaced`)
  else
    log.write(
      'core',
      'notice',
      'AH00052',
      `child pid ${end.pid} exit signal ${signalText(end.signal)} (${signalNumber(end.signal)})`,
    )
}

/** A worker's memory was exhausted, and Node ended it. */
export function logOutOfMemory(log: SupervisorLog, { pid }: ProcessEnd): void {
  log.write('core', 'crit', '', `child pid ${pid} ran out of memory and ended; its connections were closed, and it is replaced`)
  log.writeLine(
    'hint: a module leaks memory, or needs more than the heap limit: NODE_OPTIONS=--max-old-space-size=4096 in the environment of the server allows 4 GiB per process',
  )
}

/** The successor of a worker starts with a delay. @param delay milliseconds */
export function logBackoff(log: SupervisorLog, delay: number): void {
  const seconds = Math.round(delay / 1000)
  log.write(
    'mpm_event',
    'warn',
    '',
    `workers end repeatedly: the next one starts in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
  )
}

function signalNumber(signal: NodeJS.Signals): number {
  return constants.signals[signal]
}
