import { dirname, isAbsolute } from 'node:path'
import type { LogProgram, Plan } from '@gatewright/core'
import type { RoleStreams } from '../roles/role-spawn.ts'
import { type LogPipe, openLogPipes } from './log-pipe.ts'
import { LogProgramProcess } from './log-program-process.ts'
import type { SupervisorLog } from './supervisor-log.ts'
import { systemReason } from './system-reason.ts'

/** The log programs of a generation: they start before its workers, and end after its last worker. */
export class LogPrograms {
  readonly #plan: Plan
  readonly #pipes: readonly LogPipe[]
  #processes: readonly LogProgramProcess[] = []
  readonly #trouble: Error | null = null
  #ended: Promise<void> | undefined

  /** Creates the pipes; `start` reports failures. */
  constructor(plan: Plan) {
    this.#plan = plan
    try {
      // The folder of the pid file is writable, or no server can run.
      this.#pipes = openLogPipes(dirname(plan.pidFile), plan.logPrograms.length)
    } catch (error) {
      this.#pipes = []
      this.#trouble = error instanceof Error ? error : new Error(String(error))
    }
  }

  /** Descriptors for writing lines, in the order of the plan's programs. */
  get writeEnds(): readonly number[] {
    return this.#pipes.map(({ writeEnd }) => writeEnd)
  }

  /** Descriptor for the lines of a target; undefined if the target is not a program. */
  writeEnd(target: string): number | undefined {
    const index = this.#plan.logPrograms.findIndex((program) => program.target === target)
    return this.#pipes[index]?.writeEnd
  }

  /**
   * Starts all programs. Their standard error goes to the error log.
   * @param streams standard streams of the server itself
   * @returns null, or lines that describe what could not be started
   */
  async start(log: SupervisorLog, streams: RoleStreams): Promise<readonly string[] | null> {
    if (this.#trouble !== null)
      return failureLines(`${systemReason(this.#trouble)}a pipe to a log program could not be created`, NO_PIPE)
    this.#processes = this.#plan.logPrograms.map((program, index) => {
      // The program of the error log would never reach the end of a pipe to which it writes itself.
      const ownStreams = (): RoleStreams =>
        this.#isErrorLog(program) ? streams : { stdout: streams.stdout, stderr: log.fd ?? streams.stderr }
      return new LogProgramProcess(program, this.#pipes[index], ownStreams, (line) => log.writeLine(line))
    })
    for (const child of this.#processes) {
      const failure = await child.start()
      if (failure !== null) return startFailure(child.program, failure, this.#isErrorLog(child.program))
    }
    return null
  }

  /**
   * Lets all programs read the remaining lines and end. The error log is closed in between, because it is the
   * standard error of the others.
   */
  end(log: SupervisorLog): Promise<void> {
    this.#ended ??= this.#end(log)
    return this.#ended
  }

  async #end(log: SupervisorLog): Promise<void> {
    await endAll(this.#processes.filter(({ program }) => !this.#isErrorLog(program)))
    log.close()
    await endAll(this.#processes.filter(({ program }) => this.#isErrorLog(program)))
  }

  #isErrorLog({ target }: LogProgram): boolean {
    return target === this.#plan.errorLog
  }
}

async function endAll(processes: readonly LogProgramProcess[]): Promise<void> {
  await Promise.all(processes.map((child) => child.end()))
}

const NO_PIPE = 'log programs require the program mkfifo in PATH and write permission on the folder of the pid file'

function startFailure({ name, target, file }: LogProgram, failure: Error, isErrorLog: boolean): readonly string[] {
  const reason = systemReason(failure)
  if (!target.startsWith('|')) return failureLines(`${reason}AH10036: could not open ${target} error log`, NO_LOGGER)
  return failureLines(
    isErrorLog
      ? `${reason}AH00089: Couldn't start ErrorLog process '${name}'.`
      : `${reason}AH00104: unable to start piped log program '${name}'`,
    isAbsolute(file) ? undefined : 'write the absolute path of the log program',
  )
}

const NO_LOGGER = 'syslog requires the program logger in PATH: install it, or correct PATH'

function failureLines(line: string, hint?: string): readonly string[] {
  return [line, 'AH00015: Unable to open logs', ...(hint === undefined ? [] : [`hint: ${hint}`])]
}
