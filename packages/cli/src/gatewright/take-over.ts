import { readFileSync, rmSync } from 'node:fs'
import type { ConnectionTarget } from '../accepts-connections.ts'
import { problemLines } from '../problem-lines.ts'
import { print } from '../startup-output.ts'
import { firstListener, whenClosed, whenOpen } from './take-over/port-watch.ts'
import { type RunningServer, runningServer } from './take-over/running-server.ts'
import { type Ended, ownHttpd, startAgain, wordsForConfiguration } from './take-over/server-commands.ts'
import { readRecord, type TakeOverRecord, takeOverFiles, writeRecord } from './take-over/take-over-record.ts'
import { printUsage, sortWords, type UsageError } from './words.ts'

/** PidFiles of distributions, by the name of the program. */
const PID_FILES: Readonly<Record<string, string>> = { apache2: '/run/apache2/apache2.pid', httpd: '/run/httpd/httpd.pid' }

interface Request {
  readonly pidFile: string
  readonly onlyCheck: boolean
}

/** `gatewright take-over`: serves the configuration of a running Apache httpd in its place. @returns the exit status */
export async function runTakeOver(argv: readonly string[]): Promise<number> {
  const request = parsed(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('take-over', request, TAKE_OVER_USAGE)
  const server = runningServer(request.pidFile)
  if ('message' in server) return complain('take-over', server)
  const words = await wordsForConfiguration(server)
  const check = await ownHttpd(['-t', '-D', 'DUMP_LISTEN', ...words], server.environment)
  const listener = firstListener(check.text)
  if (check.status !== 0 || listener === null) return refuse(server, words, check)
  print(1, `${server.executable} (process ${server.pid}): its configuration loads here`)
  if (request.onlyCheck) return 0
  return take(server, words, request.pidFile, listener)
}

/** `gatewright give-back`: ends the server of a take-over and starts the other one again. @returns the exit status */
export async function runGiveBack(argv: readonly string[]): Promise<number> {
  const request = parsed(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('give-back', request, TAKE_OVER_USAGE)
  if (request.onlyCheck) return printUsage('give-back', { complaint: '--check is an option of take-over' }, TAKE_OVER_USAGE)
  const files = takeOverFiles(request.pidFile)
  let record: TakeOverRecord
  let pid: number
  try {
    record = readRecord(files.record)
    pid = Number(readFileSync(files.pidFile, 'latin1'))
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return complain('give-back', {
      message: `there is nothing to give back: ${cause}`,
      hint: 'name the server as in gatewright take-over; if this server no longer runs, start the other one yourself',
    })
  }
  const words = await wordsForConfiguration({ ...record, pid })
  const { text } = await ownHttpd(['-t', '-D', 'DUMP_LISTEN', ...words], record.environment)
  const listener = firstListener(text)
  if (isOwnServer(pid)) process.kill(pid, 'SIGWINCH')
  const closed = listener === null ? null : await whenClosed(listener)
  const started = await startAgain(record)
  if (started.status !== 0)
    return complain('give-back', {
      message: `${record.executable} did not start: ${started.text.trim()}`,
      hint: 'correct the cause and run the command again, or start it yourself; the ports are free',
    })
  rmSync(files.record, { force: true })
  await sayGap(listener, closed, record.executable)
  return 0
}

/** The number in a PidFile may have been given to another process. */
function isOwnServer(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('httpd.mjs')
  } catch {
    return false
  }
}

async function take(
  server: RunningServer,
  words: readonly string[],
  pidFile: string,
  listener: ConnectionTarget,
): Promise<number> {
  const files = takeOverFiles(pidFile)
  writeRecord(files.record, server)
  // Listeners are closed at once, requests in progress are finished.
  process.kill(server.pid, 'SIGWINCH')
  const closed = await whenClosed(listener)
  const own = ['-c', `PidFile "${files.pidFile}"`]
  const started = closed === null ? null : await startWhenFree([...words, ...own, '-k', 'start'], server.environment)
  if (started?.status !== 0) return undo(server, files.record, started)
  await sayGap(listener, closed, 'Gatewright')
  print(1, `reload it with: httpd ${[...words, ...own].map(quoted).join(' ')} -k graceful`)
  print(1, `give the ports back with: gatewright give-back ${quoted(pidFile)}`)
  return 0
}

/** Children of the other server close the ports a moment after it. */
async function startWhenFree(words: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ended> {
  for (let attempts = 1; ; attempts++) {
    const started = await ownHttpd(words, environment)
    if (started.status === 0 || attempts === 20 || !/could not bind to address/.test(started.text)) return started
  }
}

async function undo(server: RunningServer, record: string, started: Ended | null): Promise<number> {
  const again = await startAgain(server)
  if (again.status === 0) rmSync(record, { force: true })
  const outcome =
    again.status === 0 ? `${server.executable} serves again` : `${server.executable} did not start either: ${again.text.trim()}`
  return complain('take-over', {
    message: `this server did not start: ${started?.text.trim() ?? 'the ports were not closed within two minutes'}\n${outcome}`,
    hint: 'correct the cause and run the command again',
  })
}

async function sayGap(listener: ConnectionTarget | null, closed: number | null, program: string): Promise<void> {
  const open = listener === null || closed === null ? null : await whenOpen(listener)
  const gap = open === null || closed === null ? 'an unknown time' : `${((open - closed) / 1000).toFixed(2)} s`
  print(1, `${program} serves; the ports accepted no connections for ${gap}`)
}

function refuse(server: RunningServer, words: readonly string[], { text }: Ended): number {
  print(2, text.trimEnd())
  return complain('take-over', {
    message: `the configuration of ${server.executable} does not load here; that server continues to serve`,
    hint: `gatewright upgrade-report ${words
      .filter((word, at) => ['-d', '-f'].includes(word) || ['-d', '-f'].includes(words[at - 1]))
      .map(quoted)
      .join(' ')} lists everything that is missing`,
  })
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function parsed(argv: readonly string[]): Request | 'help' | UsageError {
  const sorted = sortWords(argv, { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } })
  if ('complaint' in sorted) return sorted
  if (sorted.values.help) return 'help'
  const [name, ...rest] = sorted.positionals
  if (name === undefined || rest.length > 0) return { complaint: 'name one server: apache2, httpd, or its PidFile' }
  const pidFile = Object.hasOwn(PID_FILES, name) ? PID_FILES[name] : name
  return { pidFile, onlyCheck: sorted.values.check === true }
}

function complain(verb: string, { message, hint }: { readonly message: string; readonly hint: string }): number {
  print(2, problemLines({ message: `gatewright ${verb}: ${message}`, hint }).join('\n'))
  return 1
}

const TAKE_OVER_USAGE = `Usage: gatewright take-over [--check] apache2 | httpd | PIDFILE
       gatewright give-back apache2 | httpd | PIDFILE

take-over serves the configuration of a running Apache httpd in its place: it checks that the configuration loads here, lets the other
server finish its requests and end, and starts this server with the same options. It prints for how long no connection was accepted. If
this server does not start, the other one is started again. give-back ends this server and starts the other one.

      --check    only check the configuration; change nothing

The exit status is 0, 1 if nothing was taken or given back, 2 if the command line is wrong.`
