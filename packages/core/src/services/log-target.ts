import type { DestinationRegistry, LogDestination } from '@gatewright/log'
import { isProgram } from './log-program.ts'
import { isSyslog } from './syslog.ts'

/** A program that nothing leads to: it was asked for too late, or there is no supervisor that starts any. */
export class MissingProgram extends Error {
  override readonly name = 'MissingProgram'
  readonly path: string

  constructor(target: string) {
    super(
      'log programs are started before the processes that log: a module opens its own in checkConfig, and a server without other processes has none',
    )
    this.path = target
  }
}

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
    if (target === '/dev/stdout') return this.#registry.descriptor(1)
    if (target === '/dev/stderr') return this.#registry.descriptor(this.#pipes?.get(target) ?? 2)
    return this.#registry.file(target)
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
