import { DestinationRegistry, type LogDestination } from '@gatewright/log'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { type CoreLog, ErrorLogs } from './error-log.ts'
import { isProgram } from './log-program.ts'
import { LogTargets } from './log-target.ts'
import { type Elsewhere, LogTroubles } from './log-troubles.ts'

export interface LogsOptions {
  /** In the form that LogTargets requires. */
  readonly pipes: ReadonlyMap<string, number> | null
  readonly onSilentErrorLog: Elsewhere
}

/** All logs of one configuration: the error logs, and the destinations of every log. */
export class Logs {
  readonly destinations: DestinationRegistry = new DestinationRegistry({
    onError: (trouble) => this.#troubles.trouble(trouble),
    onLoss: (loss) => this.#troubles.loss(loss),
  })
  readonly targets: LogTargets
  readonly errors: ErrorLogs
  /** Messages of core. */
  readonly core: CoreLog
  /** Functions that run before the logs are closed. */
  readonly closing: (() => void)[] = []
  readonly #configuration: ServerConfiguration
  readonly #troubles: LogTroubles

  constructor(configuration: ServerConfiguration, { pipes, onSilentErrorLog }: LogsOptions) {
    this.#configuration = configuration
    this.targets = new LogTargets(this.destinations, pipes)
    this.errors = new ErrorLogs(this.targets, configuration.main, (module, level, code, text) =>
      configuration.report(module, level, code, text),
    )
    this.core = this.errors.forModule({ shortName: 'core', source: 'core.c' })
    this.#troubles = new LogTroubles(this.core, () => this.errors.mainTarget, onSilentErrorLog)
  }

  /** Opens a log of a module. @throws the system's error if the target cannot be opened */
  open(target: string): LogDestination {
    return this.targets.open(isProgram(target) ? target : this.#configuration.serverRelative(target))
  }

  /** Writes all lines and closes all logs, the main error log last. */
  close(): void {
    for (const run of this.closing) run()
    this.destinations.closeAll(this.errors.mainDestination)
  }
}
