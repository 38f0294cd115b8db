import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import {
  type Command,
  type Condition,
  type ConfigServices,
  type HostServices,
  HTTPD_VERSION,
  M_INVALID,
  type ModuleLog,
  type Pattern,
  type Providers,
  type Request,
  type RetainedData,
  type Server,
  type ShellPattern,
  type ShellPatternRules,
  type Text,
} from '@gatewright/api'
import type { ServerStatus } from '@gatewright/api/status'
import { fnmatch, hasWildcards } from '@gatewright/expr'
import { DestinationRegistry, type LogDestination } from '@gatewright/log'
import { productBanner } from '../base/product.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { LoadedModule } from '../modules/registry.ts'
import { type CoreLog, ErrorLogs } from '../services/error-log.ts'
import { FileBlocks } from '../services/file-blocks.ts'
import { fileText } from '../services/file-text.ts'
import { inventoryOf } from '../services/inventory.ts'
import { isProgram } from '../services/log-program.ts'
import { LogTargets } from '../services/log-target.ts'
import { type Elsewhere, LogTroubles } from '../services/log-troubles.ts'
import { LongWork } from '../services/long-work.ts'
import { ModuleTasks } from '../services/module-tasks.ts'
import { knownClientName, NameService, type NameSettings } from '../services/names/index.ts'
import { costliestHash, isTooCostly, tooCostlyMessage } from '../services/password-cost.ts'
import { PasswordPool } from '../services/passwords.ts'
import { keptFiles, SearchedFileImpl } from '../services/searched-file.ts'
import type { Secrets } from '../services/secrets.ts'
import { rotatingSecrets, type SharedState } from '../services/shared-state.ts'
import { serverSignature } from '../services/signature.ts'
import { SystemAccounts } from '../services/system-accounts.ts'
import { TurnClock, watchFile } from '../services/watch-file.ts'
import { ExpressionCompiler } from './expression-compiler.ts'
import { NameLookups } from './name-lookups.ts'

/** Whether the client of a request still waits for its response. */
function isWaiting(request: Request): () => boolean {
  const { exchange } = RequestRecord.of(request).original
  return () => exchange?.aborted !== true
}

export interface ServicesOptions {
  readonly collectStatus: () => Promise<ServerStatus>
  readonly onSilentErrorLog: Elsewhere
  /** In the form that LogTargets requires. */
  readonly logPipes: ReadonlyMap<string, number> | null
  readonly names: NameSettings
  readonly secrets: Secrets
  readonly retained: RetainedData
  readonly shared: SharedState
  readonly renewProcesses: () => void
}

/** The services of the host for directives and modules, for one configuration. */
export class ConfigServicesImpl implements ConfigServices {
  readonly providers: Providers
  readonly httpdVersion: string = HTTPD_VERSION
  readonly destinations: DestinationRegistry = new DestinationRegistry({
    onError: (trouble) => this.#logTroubles.trouble(trouble),
    onLoss: (loss) => this.#logTroubles.loss(loss),
  })
  readonly logTargets: LogTargets
  readonly errorLogs: ErrorLogs
  readonly passwords: PasswordPool
  readonly clock: TurnClock = new TurnClock()
  readonly longWork: LongWork = new LongWork()
  readonly blocks: FileBlocks = new FileBlocks(this.longWork)
  readonly names: NameService
  readonly lookups: NameLookups
  readonly coreLog: CoreLog
  readonly hostServices: HostServices
  readonly tasks: ModuleTasks = new ModuleTasks((text) => this.coreLog.write(null, 'crit', '', text))
  /** Functions that modules run before the logs are closed. */
  readonly closing: (() => void)[] = []
  readonly #configuration: ServerConfiguration
  readonly #logTroubles: LogTroubles
  readonly #expressions: ExpressionCompiler

  constructor(
    configuration: ServerConfiguration,
    { collectStatus, onSilentErrorLog, logPipes, names, secrets, retained, shared, renewProcesses }: ServicesOptions,
  ) {
    this.#configuration = configuration
    this.names = new NameService(names, this.clock, (text) => this.coreLog.write(null, 'warn', '', text))
    this.closing.push(() => this.names.close())
    this.logTargets = new LogTargets(this.destinations, logPipes)
    this.providers = configuration.providers.forConfiguration()
    this.errorLogs = new ErrorLogs(this.logTargets, configuration.main, (module, level, code, text) =>
      configuration.report(module, level, code, text),
    )
    this.coreLog = this.errorLogs.forModule({ shortName: 'core', source: 'core.c' })
    this.#logTroubles = new LogTroubles(this.coreLog, () => this.errorLogs.mainTarget, onSilentErrorLog)
    this.passwords = new PasswordPool({ size: Math.min(2, Math.max(1, availableParallelism() - 1)) })
    const accounts = new SystemAccounts((paths, parse) => watchFile(this.clock, paths, parse))
    this.#expressions = new ExpressionCompiler(configuration.process, this.providers.expressionNames, accounts, (owner) =>
      this.logFor(owner),
    )
    this.lookups = new NameLookups(this.names, configuration.process)
    const searching = { clock: this.clock, work: this.longWork, blocks: this.blocks, kept: keptFiles() }
    this.hostServices = {
      verifyPassword: (stored, password, request, decoy) => {
        if (isTooCostly(stored)) this.coreLog.write(request, 'error', '', tooCostlyMessage(request.user))
        return this.passwords.verify(stored, password, { wanted: isWaiting(request), decoy })
      },
      refusePassword: (decoy, password, request) => this.passwords.refuse(decoy, password, isWaiting(request)),
      costliestHash,
      remoteHost: (request) => this.lookups.remoteHost(RequestRecord.of(request)),
      knownRemoteHost: (request) => knownClientName(RequestRecord.of(request))?.reported ?? null,
      userName: (uid) => accounts.userName(uid),
      groupName: (gid) => accounts.groupName(gid),
      homeFolder: (user) => accounts.homeFolder(user),
      addressesOf: (name) => this.names.addressesOf(name),
      resolveAddress: (text) => this.names.resolve(text),
      shellPattern: compileShellPattern,
      watchFile: (paths, parse) => watchFile(this.clock, paths, parse),
      searchFile: (path, reader) => new SearchedFileImpl(path, reader, searching),
      fileText: (path, limit) => fileText(path, limit, this.blocks),
      openLog: (target, server) => this.#openLog(target, server),
      secret: (name) => secrets.of(name),
      retained,
      rotatingSecrets: (name) => rotatingSecrets(shared, name),
      sharedStore: (name, limit) => shared.store(name, limit),
      inOneProcess: (start) => this.tasks.add(start),
      renewProcesses,
      status: collectStatus,
      inventory: () => {
        configuration.keptLines ??= []
        return () => inventoryOf(configuration)
      },
      serverBanner: () => productBanner(configuration.process.serverTokens),
      serverSignature: (request, prefix) =>
        serverSignature(RequestRecord.of(request), prefix, configuration.process.serverTokens),
    }
  }

  logFor(owner: LoadedModule): ModuleLog {
    return this.errorLogs.forModule({ shortName: owner.shortName, source: owner.module.source })
  }

  pattern(source: string, flags?: { readonly ignoreCase?: boolean }): Pattern | { readonly error: string } {
    return this.#expressions.pattern(source, flags)
  }

  shellPattern(source: string, rules?: ShellPatternRules): ShellPattern {
    return compileShellPattern(source, rules)
  }

  isShellPattern(name: string): boolean {
    return hasWildcards(name)
  }

  condition(
    source: string,
    command: Command,
    options?: { readonly vary?: 'told' | 'untold' },
  ): Condition | { readonly error: string } {
    return this.#expressions.condition(source, command, options)
  }

  conditionByLength(source: string, command: Command): Condition | { readonly error: string } {
    return this.#expressions.conditionByLength(source, command)
  }

  text(source: string, command: Command, log?: ModuleLog): Text | { readonly error: string } {
    return this.#expressions.text(source, command, log)
  }

  /** True if a condition in the server's own files makes sub-requests. */
  get conditionsLookUp(): boolean {
    return this.#expressions.conditionsLookUp
  }

  methodNumber(name: string, options: { readonly register?: boolean } = {}): number | undefined {
    if (options.register === true) return this.#configuration.methods.register(name)
    const number = this.#configuration.methods.numberOf(name)
    return number === M_INVALID ? undefined : number
  }

  moduleLoaded(name: string): boolean {
    return this.#configuration.registry.find(name) !== undefined
  }

  readFile(path: string): string | Error {
    try {
      return readFileSync(path, 'latin1')
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  /** @throws the system's error if the target cannot be opened */
  #openLog(target: string, _server: Server): LogDestination {
    return this.logTargets.open(isProgram(target) ? target : this.#configuration.serverRelative(target))
  }
}

function compileShellPattern(source: string, { leadingDot, backslash }: ShellPatternRules = {}): ShellPattern {
  return fnmatch(source, { period: leadingDot === 'literal', noEscape: backslash === 'ordinary' })
}
