import { appendablePath, type DestinationRegistry, type LogDestination, ownDescriptor } from '@gatewright/log'
import { isProgram } from './log-program.ts'
import { isSyslog } from './syslog.ts'

/** A program that nothing leads to: it was asked for too late, or there is no supervisor that starts any. */
export class MissingProgram extends Error {
  override readonly name = 'MissingProgram'
  readonly path: string

  constructor(target: string) {
    super(
      'log programs start before the processes that log: open them in checkConfig; a single-process server cannot run log programs',
    )
    this.path = target
  }
}

/** Under this name the pipes have standard error where it is not descriptor 2. */
const STANDARD_ERROR = '/dev/stderr'

/** Opens what logs are written to, and knows which programs are among it. */
export class LogTargets {
  /** Targets that are programs, in the order in which they were asked for. */
  readonly programs: Set<string> = new Set()
  readonly #registry: DestinationRegistry
  readonly #pipes: ReadonlyMap<string, number> | null

  /**
   * @param pipes descriptors by target: of the pipes to programs that run, and of standard error where it is not descriptor 2; null where nothing is
   *   opened for serving
   */
  constructor(registry: DestinationRegistry, pipes: ReadonlyMap<string, number> | null) {
    this.#registry = registry
    this.#pipes = pipes
  }

  /** @param target an absolute path, a program, or syslog. @throws MissingProgram, or the system's error */
  open(target: string): LogDestination {
    if (isProgram(target) || isSyslog(target)) return this.#openProgram(target)
    const own = ownDescriptor(target)
    if (own === undefined) return this.#registry.file(target)
    if (own === 1) return this.#standard(1)
    if (own === 2) return this.#standard(this.#pipes?.get(STANDARD_ERROR) ?? 2)
    throw Object.assign(new Error(`${target} is not available in the processes that log`), {
      errno: -2,
      code: 'ENOENT',
      path: target,
    })
  }

  /** A file is opened anew, so that lines are appended whoever else writes to it. One that may not be opened is written to as it is. */
  #standard(fd: number): LogDestination {
    const path = appendablePath(fd)
    try {
      if (path !== undefined) return this.#registry.file(path)
    } catch {
      // The server was started with the right to write to it, not to open it.
    }
    return this.#registry.descriptor(fd)
  }

  #openProgram(target: string): LogDestination {
    this.programs.add(target)
    if (this.#pipes === null) return NOWHERE
    const pipe = this.#pipes.get(target)
    if (pipe === undefined) throw new MissingProgram(target)
    return this.#registry.program(target, pipe)
  }
}

/** For a process that only checks the configuration. */
const NOWHERE: LogDestination = { write: ignore, flush: ignore, reopen: ignore, close: ignore }

function ignore(): void {}
