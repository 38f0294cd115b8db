import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import {
  type Command,
  type Condition,
  type ConfigServices,
  ExpressionError,
  type HostServices,
  HTTPD_VERSION,
  M_INVALID,
  type MaybePromise,
  type ModuleLog,
  type Pattern,
  type Providers,
  type Request,
  type Server,
  type ShellPattern,
  type ShellPatternRules,
  type Text,
} from '@gatewright/api'
import type { ServerStatus } from '@gatewright/api/status'
import {
  compilePattern,
  type ExprLookup,
  ExprRuntimeError,
  ExprSyntaxError,
  fnmatch,
  hasWildcards,
  MatchState,
  PatternError,
  type PatternFlags,
  parseCondition,
  parseString,
  patternGroups,
} from '@gatewright/expr'
import { DestinationRegistry, type LogDestination } from '@gatewright/log'
import { productBanner } from '../base/product.ts'
import type { ConnectionRecord } from '../model/connection-record.ts'
import { RequestRecord } from '../model/request-record.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { LoadedModule } from '../modules/registry.ts'
import { type CoreLog, ErrorLogs } from '../services/error-log.ts'
import { createExpressionLookup, looksUpRequests } from '../services/expression-lookup.ts'
import { plainHeader, varyingHeader } from '../services/expression-variables.ts'
import { FileBlocks } from '../services/file-blocks.ts'
import { fileText } from '../services/file-text.ts'
import { inventoryOf } from '../services/inventory.ts'
import { isProgram } from '../services/log-program.ts'
import { LogTargets } from '../services/log-target.ts'
import { type Elsewhere, LogTroubles } from '../services/log-troubles.ts'
import { LongWork } from '../services/long-work.ts'
import {
  clientNameOf,
  knownClientName,
  NameService,
  type NameSettings,
  onlyProved,
  provedName,
  reportedName,
} from '../services/names/index.ts'
import { networkTest } from '../services/networks.ts'
import { costliestHash, isTooCostly, tooCostlyMessage } from '../services/password-cost.ts'
import { PasswordPool } from '../services/passwords.ts'
import { keptFiles, SearchedFileImpl } from '../services/searched-file.ts'
import type { Secrets } from '../services/secrets.ts'
import { serverSignature } from '../services/signature.ts'
import { SystemAccounts } from '../services/system-accounts.ts'
import { TurnClock, watchFile } from '../services/watch-file.ts'
import { internals } from './command-impl.ts'

/** $0 to $9. */
const GROUPS: readonly number[] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]

/** The record of a request; modules only have requests of this server. */
function own(request: Request): RequestRecord {
  if (!(request instanceof RequestRecord)) throw new TypeError('not a request of this server')
  return request
}

/** Whether the client of a request still waits for its response. */
function isWaiting(request: Request): () => boolean {
  const { exchange } = own(request).original
  return () => exchange?.aborted !== true
}

export interface ServicesOptions {
  readonly collectStatus: () => Promise<ServerStatus>
  readonly onSilentErrorLog: Elsewhere
  /** In the form that LogTargets requires. */
  readonly logPipes: ReadonlyMap<string, number> | null
  readonly names: NameSettings
  readonly secrets: Secrets
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
  readonly coreLog: CoreLog
  readonly hostServices: HostServices
  /** Functions that modules run before the logs are closed. */
  readonly closing: (() => void)[] = []
  /** True if a condition in the server's own files makes sub-requests. */
  conditionsLookUp = false
  readonly #configuration: ServerConfiguration
  readonly #logTroubles: LogTroubles
  /** Header fields that a condition reads are added to Vary; those of a text are not. */
  readonly #conditionLookup: ExprLookup<RequestRecord>
  readonly #textLookup: ExprLookup<RequestRecord>

  constructor(
    configuration: ServerConfiguration,
    { collectStatus, onSilentErrorLog, logPipes, names, secrets }: ServicesOptions,
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
    this.#conditionLookup = createExpressionLookup(networkTest, accounts, varyingHeader)
    this.#textLookup = createExpressionLookup(networkTest, accounts, plainHeader)
    const searching = { clock: this.clock, work: this.longWork, blocks: this.blocks, kept: keptFiles() }
    this.hostServices = {
      verifyPassword: (stored, password, request, decoy) => {
        if (isTooCostly(stored)) this.coreLog.write(request, 'error', '', tooCostlyMessage(request.user))
        return this.passwords.verify(stored, password, { wanted: isWaiting(request), decoy })
      },
      refusePassword: (decoy, password, request) => this.passwords.refuse(decoy, password, isWaiting(request)),
      costliestHash,
      remoteHost: (request) => this.#remoteHost(own(request)),
      knownRemoteHost: (request) => knownClientName(own(request))?.reported ?? null,
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
      status: collectStatus,
      inventory: () => {
        configuration.keptLines ??= []
        return () => inventoryOf(configuration)
      },
      serverBanner: () => productBanner(configuration.process.serverTokens),
      serverSignature: (request, prefix) => serverSignature(own(request), prefix, configuration.process.serverTokens),
    }
  }

  logFor(owner: LoadedModule): ModuleLog {
    return this.errorLogs.forModule({ shortName: owner.shortName, source: owner.module.source })
  }

  pattern(source: string, flags: { readonly ignoreCase?: boolean } = {}): Pattern | { readonly error: string } {
    const defaults = this.#patternDefaults
    const compiled = compilePattern(source, flags.ignoreCase === true ? { ...defaults, ignoreCase: true } : defaults)
    if (compiled instanceof PatternError) return { error: compiled.message }
    const { names } = patternGroups(compiled)
    return {
      source,
      names,
      test: (text) => compiled.test(text),
      match: (text) => {
        const match = compiled.exec(text)
        return match === null ? null : Array.from(match, (group) => group ?? '')
      },
      search: (text) => {
        const match = compiled.exec(text)
        return match === null ? null : { index: match.index, groups: Array.from(match, (group) => group ?? '') }
      },
    }
  }

  /** RegexDefaultOptions. */
  get #patternDefaults(): PatternFlags {
    const { process } = this.#configuration
    return {
      ignoreCase: process.regexIgnoreCase,
      extended: process.regexExtended,
      dotAll: process.regexDotAll,
      dollarEndOnly: process.regexDollarEndOnly,
    }
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
    options: { readonly vary?: 'told' | 'untold' } = {},
  ): Condition | { readonly error: string } {
    const parsed = parseCondition(source, {
      lookup: options.vary === 'untold' ? this.#textLookup : this.#conditionLookup,
      context: command.inHtaccess ? 'restricted' : 'unrestricted',
      pattern: this.#patternDefaults,
    })
    if (parsed instanceof ExprSyntaxError)
      return { error: parsed.hint === undefined ? parsed.message : `${parsed.message}: ${parsed.hint}` }
    if (!command.inHtaccess && looksUpRequests(parsed.operators)) this.conditionsLookUp = true
    return {
      mentions: parsed.mentions,
      test: (request) => {
        try {
          return parsed.evaluate(own(request))
        } catch (error) {
          throw this.#expressionFailure(error, request, command)
        }
      },
      match: (request) => {
        const state = new MatchState()
        try {
          if (!parsed.evaluate(own(request), state)) return null
          return state.match === null ? [] : GROUPS.map((group) => state.group(group))
        } catch (error) {
          throw this.#expressionFailure(error, request, command)
        }
      },
    }
  }

  text(source: string, command: Command, log?: ModuleLog): Text | { readonly error: string } {
    const parsed = parseString(source, {
      lookup: this.#textLookup,
      context: command.inHtaccess ? 'restricted' : 'unrestricted',
      pattern: this.#patternDefaults,
    })
    if (parsed instanceof ExprSyntaxError)
      return { error: parsed.hint === undefined ? parsed.message : `${parsed.message}: ${parsed.hint}` }
    return {
      constant: parsed.constant,
      of: (request) => {
        if (parsed.constant !== undefined) return parsed.constant
        try {
          return parsed.evaluate(own(request))
        } catch (error) {
          throw this.#expressionFailure(error, request, command, log)
        }
      },
    }
  }

  #expressionFailure(error: unknown, request: Request, command: Command, log?: ModuleLog): unknown {
    if (!(error instanceof ExprRuntimeError)) return error
    const told = log ?? this.logFor(internals(command).bound.owner)
    told.write(request, 'error', '', `Evaluation of expression from ${command.file}:${command.line} failed: ${error.message}`)
    return new ExpressionError(error.message)
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

  #remoteHost(request: RequestRecord): MaybePromise<string | null> {
    return provedName(clientNameOf(request), this.names, () => !request.connection.aborted)
  }

  /**
   * Looks up the names that HostnameLookups and UseCanonicalName require, before modules process the request.
   * A promise only if a name server must be queried.
   */
  lookUpNames(request: RequestRecord): void | Promise<void> {
    const local = this.#configuration.process.localNamesWanted ? this.#lookUpLocal(request.connection) : undefined
    const client = this.#lookUpClient(request)
    if (local === undefined || client === undefined) return local ?? client
    return Promise.all([local, client]).then(() => undefined)
  }

  #lookUpLocal(connection: ConnectionRecord): void | Promise<void> {
    if (connection.localName !== null) return
    const name = this.names.nameOf(connection.localAddress)
    if (name instanceof Promise) {
      return name.then((found) => {
        connection.localName ??= found
      })
    }
    connection.localName = name
  }

  /**
   * Looks up the client's name for HostnameLookups, so that logs and expressions have it. A promise only if a
   * name server must be queried.
   */
  #lookUpClient(request: RequestRecord): void | Promise<void> {
    const mode = request.config.core.hostnameLookups ?? 'off'
    if (mode === 'off') return
    const client = clientNameOf(request)
    const waiting = mode === 'on' ? reportedName(client, this.names) : onlyProved(client, this.names)
    if (waiting instanceof Promise) return waiting.then(() => undefined)
  }

  /** @throws the system's error if the target cannot be opened */
  #openLog(target: string, _server: Server): LogDestination {
    return this.logTargets.open(isProgram(target) ? target : this.#configuration.serverRelative(target))
  }
}

function compileShellPattern(source: string, { leadingDot, backslash }: ShellPatternRules = {}): ShellPattern {
  return fnmatch(source, { period: leadingDot === 'literal', noEscape: backslash === 'ordinary' })
}
