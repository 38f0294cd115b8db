import { type ChildProcess, spawn } from 'node:child_process'
import type { LogProgram } from '@gatewright/core'
import type { RoleStreams } from '../roles/role-spawn.ts'
import { Backoff } from './backoff.ts'
import { closeLogPipe, type LogPipe } from './log-pipe.ts'
import { systemReason } from './system-reason.ts'

/**
 * A program that has read everything and does not end within this time (ms) is terminated; httpd does not
 * wait at all.
 */
const END_PATIENCE = 3_000
/** Time to wait for its end after that. */
const LAST_PATIENCE = 1_000

/**
 * A log program as seen by the supervisor: restarted on the same pipe whenever it dies, so that unread lines
 * are not lost.
 */
export class LogProgramProcess {
  readonly program: LogProgram
  readonly pipe: LogPipe
  readonly #streams: () => RoleStreams
  readonly #writeLine: (line: string) => void
  readonly #backoff = new Backoff()
  readonly #gone = Promise.withResolvers<void>()
  #child: ChildProcess | null = null
  #deaths = 0
  #ending = false
  #restart: NodeJS.Timeout | undefined

  /**
   * @param streams supplies its standard output and error for each start
   * @param writeLine writes a complete line to the error log
   */
  constructor(program: LogProgram, pipe: LogPipe, streams: () => RoleStreams, writeLine: (line: string) => void) {
    this.program = program
    this.pipe = pipe
    this.#streams = streams
    this.#writeLine = writeLine
  }

  /** @returns the reason why it cannot be started, or null */
  start(): Promise<Error | null> {
    const startedAt = performance.now()
    const { stdout, stderr } = this.#streams()
    let child: ChildProcess
    try {
      // A session of its own: Ctrl-C at a terminal ends the server, and the program only after the last line.
      child = spawn(this.program.file, this.program.args, { stdio: [this.pipe.readEnd, stdout, stderr], detached: true })
    } catch (error) {
      return Promise.resolve(error instanceof Error ? error : new Error(String(error)))
    }
    if (child.pid !== undefined) this.#child = child
    return new Promise((resolve) => {
      child.once('spawn', () => resolve(null))
      child.on('error', resolve)
      child.once('exit', () => this.#ended(startedAt))
    })
  }

  /**
   * Ends the program when it has read everything; resolves when it has ended, or does not end in time. The
   * pipe must have no other writers.
   */
  async end(): Promise<void> {
    this.#ending = true
    if (this.#restart !== undefined) {
      clearTimeout(this.#restart)
      // Lines that it has not read stay in the pipe.
      await this.start()
    }
    closeLogPipe(this.pipe)
    const child = this.#child
    if (child === null) return
    const late = setTimeout(() => {
      terminate(child)
      setTimeout(this.#gone.resolve, LAST_PATIENCE).unref()
    }, END_PATIENCE)
    await this.#gone.promise
    clearTimeout(late)
  }

  #ended(startedAt: number): void {
    this.#child = null
    if (this.#ending) {
      this.#gone.resolve()
      return
    }
    this.#writeLine(`AH00106: piped log program '${this.program.name}' failed unexpectedly`)
    this.#startAgain(startedAt)
  }

  /** The first time immediately, whenever that is. */
  #startAgain(startedAt: number): void {
    const now = performance.now()
    const delay = this.#backoff.delayAfterDeath(now - startedAt, now)
    this.#restart = setTimeout(
      () => {
        this.#restart = undefined
        void this.start().then((failure) => {
          if (failure === null) return
          this.#writeLine(`${systemReason(failure)}AH00107: piped_log_maintenance: unable to respawn '${this.program.name}'`)
          if (!this.#ending) this.#startAgain(now)
        })
      },
      this.#deaths++ === 0 ? 0 : delay,
    )
  }
}

/** A shell has children of its own. */
function terminate({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // It has ended in the meantime.
  }
}
