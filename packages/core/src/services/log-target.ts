import { appendablePath, type DestinationRegistry, type LogDestination, ownDescriptor } from '@gatewright/log'
import { isProgram } from './log-program.ts'
import { isSyslog } from './syslog.ts'

/** A program without a pipe: it was requested too late, or no supervisor starts programs. */
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

/** The key of standard error among the pipes if it is not descriptor 2. */
const STANDARD_ERROR = '/dev/stderr'

/** Opens log targets, and records which of them are programs. */
export class LogTargets {
  /** Targets that are programs, in the order in which they were requested. */
  readonly programs: Set<string> = new Set()
  readonly #registry: DestinationRegistry
  readonly #pipes: ReadonlyMap<string, number> | null

  /**
   * @param pipes descriptors by target: of the pipes to running programs, and of standard error if it is not
   * descriptor 2; null if nothing is opened for serving
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

  /**
   * Reopens a file for appending, because other processes may write to it as well. If it cannot be reopened,
   * its existing descriptor is used.
   */
  #standard(fd: number): LogDestination {
    const path = appendablePath(fd)
    try {
      if (path !== undefined) return this.#registry.file(path)
    } catch {
      // The server was started with a writable descriptor, but may not open the file.
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
