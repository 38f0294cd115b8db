import { availableParallelism } from 'node:os'
import type { HookName, LogLevelName, Problem, SectionInfo } from '@gatewright/api'
import { processOwner, type StartHook } from '@gatewright/api'
import { requestReadLimitsOf } from '@gatewright/api/peers'
import type { HookEntry, ServerStatus } from '@gatewright/api/status'
import type { ConfigNode } from '@gatewright/config'
import type { ConfigError } from '../base/config-error.ts'
import { errorMessage } from '../base/error-text.ts'
import { productBanner } from '../base/product.ts'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import { mapToStorage } from '../lifecycle/map-to-storage.ts'
import type { ProcessConfig } from '../model/process-config.ts'
import { Section } from '../model/section.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { SkippedBody } from '../model/skipped-body.ts'
import type { SortedHook } from '../modules/hook-registry.ts'
import { CORE_INDEX } from '../modules/registry.ts'
import { isProgram, type LogProgram, logProgram } from '../services/log-program.ts'
import { MissingProgram } from '../services/log-target.ts'
import { isSyslog, syslogFacility, syslogProgram } from '../services/syslog.ts'
import { statusOfOne } from '../status/status-keeper.ts'
import type { LoadOptions, Plan, WorkerServer } from './contract.ts'
import { registerCoreHooks } from './core-hooks.ts'
import { createHttpHost } from './create-http-host.ts'
import { createWalk, type WalkParts } from './create-walk.ts'
import type { HttpHost } from './http-host.ts'
import { programSourceHints } from './program-sources.ts'
import { missingFolder, startContext } from './start-context.ts'
import { isWithoutWord, startError } from './start-error.ts'
import { runStartHook, runVoidStartHook } from './start-hooks.ts'
import { workerCount, workerCountHint } from './worker-count.ts'
import { createWorkerServer } from './worker-server.ts'

/** A configuration that was read, bound and checked, and is ready to serve. It does not change any more. */
export class Snapshot {
  readonly configuration: ServerConfiguration
  readonly services: ConfigServicesImpl
  readonly options: LoadOptions
  #host: HttpHost | null = null
  #walkParts: WalkParts | null = null
  #isInitialized = false

  constructor(configuration: ServerConfiguration, services: ConfigServicesImpl, options: LoadOptions) {
    this.configuration = configuration
    this.services = services
    this.options = options
  }

  /** Performs all checks that do not need to open anything. @throws ConfigError */
  async check(): Promise<void> {
    const { lists } = this.configuration.hooks
    for (const list of [...Object.values(lists), ...this.configuration.optionalHooks.all]) list.sorted()
    this.#checkErrorLogFolders()
    this.configuration.closeRegistration()
    await this.#runStart('checkConfig', lists.checkConfig.sorted(), 'AH00014: Configuration check failed')
    for (const target of this.#errorLogTargets()) {
      if (!isSyslog(target) || syslogFacility(target) !== undefined) continue
      const name = target.slice('syslog:'.length)
      throw this.#startError(
        {
          code: 'AH10036',
          message: `${this.options.program}: could not open syslog error log ${name}.`,
          hint: 'a facility is one of auth, authpriv, cron, daemon, ftp, kern, lpr, mail, news, syslog, user, uucp and local0 to local7',
        },
        LOGS_FAILED,
      )
    }
  }

  #checkErrorLogFolders(): void {
    const { main, servers } = this.configuration
    for (const server of servers) {
      const target = server === main ? this.#errorLogTarget() : server.core.errorLog
      if (target === undefined || !target.startsWith('/')) continue
      const missing = missingFolder(target)
      if (missing === undefined) continue
      const whose = server === main ? 'main error log' : `error log of vhost defined at ${server.file}:${server.line}`
      throw this.#startError(
        { message: `${missing.reason}: AH02291: Cannot access directory '${missing.folder}' for ${whose}` },
        'AH00014: Configuration check failed',
      )
    }
  }

  /** Opens the error logs and the modules' logs. @throws ConfigError */
  async openLogs(): Promise<void> {
    try {
      this.services.errorLogs.open(
        this.configuration.servers,
        this.configuration.serverRelative(this.configuration.standardFiles.errorLog),
      )
    } catch (error) {
      // A virtual host may have its own log.
      const target = error instanceof Error && 'path' in error ? String(error.path) : this.#errorLogTarget()
      throw this.#startError(
        {
          code: 'AH00091',
          message: `${this.options.program}: could not open error log file ${target}.`,
          cause: error instanceof Error ? error : undefined,
          hint: error instanceof MissingProgram ? error.message : undefined,
        },
        LOGS_FAILED,
      )
    }
    this.configuration.reportTo((module, level, code, text) => this.reportLine(module, level, code, text))
    this.#reportWithoutEffect()
    this.#reportUnknownNames()
    await this.#openModuleLogs()
  }

  /**
   * A module may write its reason to the error log, which is open by then, and return no text. Then the
   * console only refers to the log.
   */
  async #openModuleLogs(): Promise<void> {
    const problem = await runStartHook(
      'openLogs',
      this.configuration.hooks.lists.openLogs.sorted(),
      startContext(this.configuration, this.options),
    )
    if (problem === undefined) return
    this.end()
    const isSilent = isWithoutWord(problem)
    if (isSilent) this.services.errorLogs.mainDestination?.write(`${LOGS_FAILED}\n`)
    this.services.destinations.flushAll()
    const { program } = this.options
    if (!isSilent) throw this.#startError(problem, LOGS_FAILED)
    throw this.#startError({ message: `${program}: a log could not be opened: the error log ${this.#errorLogTarget()} says why` })
  }

  /**
   * Warnings about this configuration. `-t` prints them; a start prints them and writes them to the error
   * log.
   */
  hints(): readonly string[] {
    const workers = workerCountHint(this.configuration.process, availableParallelism())
    return [...(workers === undefined ? [] : [workers]), ...programSourceHints(this.configuration)]
  }

  /**
   * Reports all directives without effect in one line: most are harmless, and many lines would obscure
   * others.
   */
  #reportWithoutEffect(): void {
    const { withoutEffect } = this.configuration
    if (withoutEffect.size === 0) return
    const names = [...withoutEffect].map(([name, place]) => `${name} (${place})`).join(', ')
    this.configuration.report('core', 'info', '', `accepted without effect: ${names}`)
  }

  /**
   * Reports names of modules that are not loaded in the order of functions, because a misspelt name would
   * have no other symptom.
   */
  #reportUnknownNames(): void {
    const { hooks, optionalHooks, registry } = this.configuration
    if (!this.services.coreLog.enabled(null, 'debug')) return
    for (const list of [...Object.values(hooks.lists), ...optionalHooks.all]) {
      for (const { of, source } of list.demands()) {
        if (registry.modules.some(({ module }) => module.source === source)) continue
        this.services.coreLog.write(null, 'debug', '', `hook ${list.name}: ${of} names ${source}, which is not loaded`)
      }
    }
  }

  /** The last step before serving, as mod_mime reads its table in it. @throws ConfigError */
  async postConfig(): Promise<void> {
    await this.#runStart('postConfig', this.configuration.hooks.lists.postConfig.sorted(), 'AH00016: Configuration Failed')
  }

  /** Prints the dumps of `-t -D DUMP_...`. */
  async testConfig(print: (line: string) => void): Promise<void> {
    const context = startContext(this.configuration, this.options, print)
    const failure = await runVoidStartHook('testConfig', this.configuration.hooks.lists.testConfig.sorted(), context)
    if (failure !== undefined) throw this.#startError(failure)
  }

  /**
   * The lines that false conditions excluded in a section of this configuration, if it is a .htaccess file.
   */
  skippedIn(section: SectionInfo): readonly SkippedBody[] {
    return section instanceof Section ? section.skippedBodies : []
  }

  /**
   * The lines of a section, with expanded variables and without guards and includes; none if lines are not
   * kept.
   */
  linesIn(section: SectionInfo): readonly ConfigNode[] {
    return section instanceof Section ? (section.lines ?? []) : []
  }

  /** Writes a line into the opened main error log. */
  reportLine(module: string, level: LogLevelName, code: string, text: string): void {
    this.services.errorLogs.write(null, { shortName: module, source: `${module}.c` }, level, code, text)
  }

  /** The last step of a process before `serve`: initialises the modules. @throws ConfigError */
  async initialize(): Promise<void> {
    if (this.#isInitialized) return
    this.#isInitialized = true
    const context = startContext(this.configuration, this.options)
    const failure = await runVoidStartHook('childInit', this.configuration.hooks.lists.childInit.sorted(), context)
    if (failure === undefined) return this.#refuseLateRegistration()
    this.end()
    throw this.#startError(failure)
  }

  /** Rejects late registrations of modules, which have no effect. @throws ConfigError */
  #refuseLateRegistration(): void {
    const late = this.configuration.lateRegistration
    if (late === null) return
    this.end()
    const hint = 'wait for what it needs in its register function, which may be async and is awaited'
    throw this.#startError({ message: late, hint })
  }

  /** Begins to serve in this process: connections may arrive. */
  serve(): WorkerServer {
    return createWorkerServer(this.startServing(), this.services, () => this.end())
  }

  /** The part of a worker that tests use directly. */
  startServing(): HttpHost {
    if (this.#host !== null) return this.#host
    if (!this.#isInitialized) throw new Error('the process was not initialized')
    this.#host = this.#createHost()
    return this.#host
  }

  /** Serving has ended, or never began: modules release their resources. */
  end(): void {
    this.configuration.ending.run((error) =>
      this.services.coreLog.write(null, 'crit', '', `a cleanup failed: ${errorMessage(error)}`),
    )
  }

  /** The modules with functions in each hook, in the order in which they run, including core. */
  hooksInOrder(): readonly { readonly name: HookName; readonly functions: readonly HookEntry[] }[] {
    this.#addCoreHooks()
    const { lists } = this.configuration.hooks
    const names = Object.keys(lists) as HookName[]
    return names.map((name) => ({ name, functions: lists[name].entriesInOrder() }))
  }

  /**
   * Source names of the modules that cause nearly every sub-request and redirect to be authorized again, each
   * once.
   */
  decidingByRequest(): readonly string[] {
    const { hooks, providers } = this.configuration
    return [...new Set([...hooks.decidingByRequest(), ...providers.decidingByRequest()])]
  }

  #addCoreHooks(): WalkParts {
    if (this.#walkParts !== null) return this.#walkParts
    const { hooks, registry } = this.configuration
    const { coreLog, errorLogs } = this.services
    this.#walkParts = createWalk(this.configuration, this.services, this.options)
    const logs = { log: coreLog, httpLog: errorLogs.forModule({ shortName: 'http', source: 'http_filters.c' }) }
    registerCoreHooks(hooks, registry.modules[CORE_INDEX], logs, mapToStorage(this.#walkParts.walk, coreLog))
    return this.#walkParts
  }

  #createHost(): HttpHost {
    const { configuration, services } = this
    const limitsOf = configuration.functions.get(requestReadLimitsOf)
    for (const server of configuration.servers) server.readLimits = limitsOf?.(server) ?? null
    return createHttpHost(configuration, services, this.#addCoreHooks(), this.decidingByRequest())
  }

  /** The status of this process, for a server that consists only of it. */
  async ownStatus(): Promise<ServerStatus> {
    const { process } = this.configuration
    const host = this.startServing()
    const worker = host.workerStatus({ slot: 0, generation: 0, stopping: false })
    return statusOfOne(worker, {
      startedAt: host.status.startedAt,
      configGeneration: 1,
      mpmGeneration: 0,
      mpm: 'event',
      built: '',
      maxRequestWorkers: greatestRequests(process),
      threadsPerWorker: process.threadsPerChild,
      extended: process.extendedStatus ?? this.configuration.registry.find('status_module') !== undefined,
    })
  }

  get plan(): Plan {
    const { configuration } = this
    const { process } = configuration
    const owner = configuration.functions.get(processOwner)?.()
    return {
      listeners: process.listeners,
      listenBacklog: process.listenBacklog,
      pidFile: configuration.runtimeRelative(process.pidFile),
      errorLog: this.#errorLogTarget(),
      logPrograms: this.#logPrograms(),
      user: owner?.user ?? null,
      group: owner?.group ?? null,
      workers: workerCount(process, availableParallelism()),
      maxConnectionsPerChild: process.maxConnectionsPerChild,
      maxRequestWorkers: greatestRequests(process),
      gracefulShutdownTimeout: process.gracefulShutdownTimeout,
      timeout: configuration.main.timeout,
      serverBanner: productBanner('full'),
    }
  }

  #logPrograms(): LogProgram[] {
    const errorLogs = this.#errorLogTargets().filter((target) => isProgram(target) || isSyslog(target))
    const targets = new Set([...errorLogs, ...this.services.logTargets.programs])
    return [...targets].map((target) => (isSyslog(target) ? syslogProgram(target, this.options.program) : logProgram(target)))
  }

  #errorLogTargets(): string[] {
    return this.configuration.servers.flatMap(({ core }) => core.errorLog ?? [])
  }

  #errorLogTarget(): string {
    return this.configuration.main.core.errorLog ?? this.configuration.serverRelative(this.configuration.standardFiles.errorLog)
  }

  async #runStart(name: 'checkConfig' | 'postConfig', hook: SortedHook<StartHook>, failure: string): Promise<void> {
    const problem = await runStartHook(name, hook, startContext(this.configuration, this.options))
    if (problem === undefined) return this.#refuseLateRegistration()
    this.end()
    // The module's log lines about it would be lost with the process.
    this.services.destinations.flushAll()
    throw isWithoutWord(problem) ? this.#startError({ message: failure }) : this.#startError(problem, failure)
  }

  /** @param failure httpd's line about the step that failed, printed after the problem */
  #startError(problem: Problem, failure?: string): ConfigError {
    return startError(this.options.configFile, problem, failure)
  }
}

const LOGS_FAILED = 'AH00015: Unable to open logs'

function greatestRequests({ maxRequestWorkers, serverLimit, threadsPerChild }: ProcessConfig): number {
  return maxRequestWorkers ?? serverLimit * threadsPerChild
}
