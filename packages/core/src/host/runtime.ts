import type { LogLevelName, ServerCommandResult } from '@gatewright/api'
import type { ServerStatus } from '@gatewright/api/status'
import type { ErrorRecord } from '@gatewright/log'
import { statusOfOne } from '../status/status-keeper.ts'
import type { BoundConfiguration } from './bound-configuration.ts'
import type { WorkerServer } from './contract.ts'
import { endConfiguration } from './end-configuration.ts'
import { type LoadedParts, partsOf } from './loaded-parts.ts'
import { openLogs } from './open-logs.ts'
import { greatestRequests } from './plan.ts'
import { startContext } from './start-context.ts'
import { startError } from './start-error.ts'
import { runVoidStartHook } from './start-hooks.ts'
import { refuseLateRegistration, runStep } from './start-steps.ts'
import { createWorkerServer } from './worker-server.ts'

/**
 * What a process opens and changes when it serves a bound configuration, in the order of a start: `openLogs`
 * (unless nothing is to be logged), `postConfig`, `initialize`, `serve`.
 */
export interface ServerRuntime {
  /** Opens the error logs and the modules' logs. @throws ConfigError */
  openLogs(): Promise<void>
  /**
   * The last step before privileges are dropped; mod_mime reads its table in it.
   * @param isFirst false for a process that follows another one of the same configuration
   * @throws ConfigError
   */
  postConfig(isFirst?: boolean): Promise<void>
  /** The last step of a process before `serve`: initialises the modules. @throws ConfigError */
  initialize(): Promise<void>
  /** Begins to serve in this process: connections may arrive. The same object each time. */
  serve(): WorkerServer
  /** Begins the tasks of modules that run in one process of the server. @returns the function that ends them */
  startTasks(): () => void
  /** Runs a command of a module for an operator. @param words the name of the command and what follows it */
  runCommand(words: readonly string[]): Promise<ServerCommandResult>
  /** Calls a function for every line of the error logs, written or not. */
  onErrorLogLine(listener: (record: ErrorRecord, line: string) => void): void
  /** Writes a line into the opened main error log. */
  reportLine(module: string, level: LogLevelName, code: string, text: string): void
  /** Writes what has been logged, at once: for a process that ends now. */
  flushLogs(): void
  /** Discards further messages about the configuration, such as those about .htaccess files. */
  silence(): void
  /** The status of this process, for a server that consists only of it. */
  ownStatus(): Promise<ServerStatus>
  /** The addresses of a host name; rejects if the name cannot be looked up. */
  addressesOf(name: string): Promise<readonly string[]>
}

/** Begins what serves a configuration. Nothing is opened yet. A configuration has one runtime. */
export function createRuntime(configuration: BoundConfiguration): ServerRuntime {
  const parts = partsOf(configuration)
  if (parts.ownStatus !== null) throw new Error('the configuration has a runtime already')
  const runtime = new Runtime(parts)
  parts.ownStatus = () => runtime.ownStatus()
  return runtime
}

class Runtime implements ServerRuntime {
  readonly #parts: LoadedParts
  #isInitialized = false
  #server: WorkerServer | null = null

  constructor(parts: LoadedParts) {
    this.#parts = parts
  }

  openLogs(): Promise<void> {
    return openLogs(this.#parts)
  }

  async postConfig(isFirst = true): Promise<void> {
    const hook = this.#parts.configuration.hooks.lists.postConfig.sorted()
    await runStep('postConfig', hook, this.#parts, 'AH00016: Configuration Failed', isFirst)
  }

  async initialize(): Promise<void> {
    if (this.#isInitialized) return
    this.#isInitialized = true
    const { configuration, options } = this.#parts
    const hook = configuration.hooks.lists.childInit.sorted()
    const failure = await runVoidStartHook('childInit', hook, startContext(configuration, options), options)
    if (failure === undefined) return refuseLateRegistration(this.#parts)
    endConfiguration(this.#parts)
    throw startError(options.configFile, failure)
  }

  serve(): WorkerServer {
    if (this.#server !== null) return this.#server
    if (!this.#isInitialized) throw new Error('the process was not initialized')
    this.#server = createWorkerServer(this.#parts.host, this.#parts.services, () => endConfiguration(this.#parts))
    return this.#server
  }

  startTasks(): () => void {
    return this.#parts.services.process.tasks.start()
  }

  async runCommand([name = '', ...words]: readonly string[]): Promise<ServerCommandResult> {
    const command = this.#parts.configuration.providers.serverCommands.get(name)
    if (command === undefined) return { problem: `no loaded module has a command ${name}` }
    try {
      return await command.run(words)
    } catch (error) {
      this.reportLine(
        'core',
        'error',
        '',
        `the command ${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : error}`,
      )
      return { problem: `the command ${name} failed`, hint: 'see the error log' }
    }
  }

  onErrorLogLine(listener: (record: ErrorRecord, line: string) => void): void {
    this.#parts.services.logs.errors.listen(listener)
  }

  reportLine(module: string, level: LogLevelName, code: string, text: string): void {
    this.#parts.services.logs.errors.write(null, { shortName: module, source: `${module}.c` }, level, code, text)
  }

  flushLogs(): void {
    this.#parts.services.logs.destinations.flushAll()
  }

  silence(): void {
    this.#parts.configuration.reportTo(() => undefined)
  }

  async ownStatus(): Promise<ServerStatus> {
    const { host, configuration } = this.#parts
    const { process } = configuration
    const worker = host.workerStatus({ slot: 0, generation: 0, stopping: false })
    return statusOfOne(worker, {
      startedAt: host.status.startedAt,
      configGeneration: 1,
      mpmGeneration: 0,
      mpm: 'event',
      built: '',
      maxRequestWorkers: greatestRequests(process),
      threadsPerWorker: process.threadsPerChild,
      extended: process.extendedStatus ?? configuration.registry.find('status_module') !== undefined,
    })
  }

  async addressesOf(name: string): Promise<readonly string[]> {
    return this.#parts.services.process.names.addressesOf(name)
  }
}
