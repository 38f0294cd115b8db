import { readFileSync } from 'node:fs'
import {
  type Command,
  type Condition,
  type ConfigServices,
  type FileKind,
  type HostServices,
  HTTPD_VERSION,
  M_INVALID,
  type ModuleLog,
  type Pattern,
  type Providers,
  type ShellPattern,
  type ShellPatternRules,
  type Text,
} from '@gatewright/api'
import { hasWildcards } from '@gatewright/expr'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { LoadedModule } from '../modules/registry.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { Logs } from '../services/logs.ts'
import { compileShellPattern } from '../services/shell-pattern.ts'
import type { ExpressionCompiler } from './expression-compiler.ts'

/** The services of the host for directives, for one configuration. */
export class ConfigServicesImpl implements ConfigServices {
  readonly providers: Providers
  readonly httpdVersion: string = HTTPD_VERSION
  /** The services for modules that LoadModule registers. */
  readonly hostServices: HostServices
  readonly #logs: Logs
  readonly #configuration: ServerConfiguration
  readonly #expressions: ExpressionCompiler

  constructor(configuration: ServerConfiguration, logs: Logs, expressions: ExpressionCompiler, hostServices: HostServices) {
    this.#configuration = configuration
    this.#logs = logs
    this.hostServices = hostServices
    this.providers = configuration.providers.forConfiguration()
    this.#expressions = expressions
  }

  logFor(owner: LoadedModule): ModuleLog {
    return this.#logs.errors.forModule({ shortName: owner.shortName, source: owner.module.source })
  }

  /** The log lines of core about what it reads. */
  get coreLog(): CoreLog {
    return this.#logs.core
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

  fileKind(path: string): FileKind {
    return this.#configuration.options.source.fileKind(path)
  }

  readFile(path: string): string | Error {
    try {
      return readFileSync(path, 'latin1')
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }
}
