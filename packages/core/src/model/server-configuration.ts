import { dirname, isAbsolute, normalize, resolve } from 'node:path'
import type { LogLevelName } from '@gatewright/api'
import type { ConfigNode } from '@gatewright/config'
import { Cleanups } from '../base/cleanups.ts'
import { Defines } from '../base/defines.ts'
import { MethodRegistry } from '../base/method-registry.ts'
import type { ConfigSource } from '../base/source.ts'
import { DEFAULT_LAYOUT_FILES, type StandardFiles } from '../base/standard-files.ts'
import { FunctionRegistry } from '../modules/function-registry.ts'
import { HookRegistry } from '../modules/hook-registry.ts'
import { OptionalHookRegistry } from '../modules/optional-hook-registry.ts'
import { ProviderRegistry } from '../modules/provider-registry.ts'
import { ModuleRegistry } from '../modules/registry.ts'
import type { SigningKey } from '../modules/signing-key.ts'
import { Slots } from '../modules/slots.ts'
import { ConnectionRecord } from './connection-record.ts'
import { MissingModules } from './missing-modules.ts'
import { createProcessConfig, type ProcessConfig } from './process-config.ts'
import type { ProgramLine } from './program-lines.ts'
import type { ReadEffect } from './read-effect.ts'
import { RequestRecord } from './request-record.ts'
import { Section } from './section.ts'
import { createCoreServer } from './server-config.ts'
import { ServerRecord } from './server-record.ts'
import type { SkippedBody } from './skipped-body.ts'

/**
 * Writes a line about the configuration while it is being read, in the error log's format; module '' writes a
 * plain line as in a start-up message.
 */
/** @param isOfHost whether a line of a virtual host is the reason */
export type ConfigReporter = (module: string, level: LogLevelName, code: string, text: string, isOfHost?: boolean) => void

export interface ServerConfigurationOptions {
  /** Base name of the program, for messages. */
  readonly program: string
  /** -d */
  readonly serverRoot: string
  /** -f, absolute. */
  readonly configFile: string
  /** The folder of the installation's modules; absent: none. */
  readonly modulesFolder?: string
  /** The list of the modules that came with the server, which ModuleSignedBy accepts without a signature; absent: none. */
  readonly ownModules?: string
  /**
   * For configurations of persons who are not trusted, in a process that may only read: LoadModule refuses files
   * outside `modulesFolder`, and start-up functions that want more than to read are passed over.
   */
  readonly isConfined?: boolean
  /** Defaults for values that the configuration does not set; absent: as in httpd's default layout. */
  readonly standardFiles?: StandardFiles
  /** -D words. */
  readonly defines: readonly string[]
  readonly source: ConfigSource
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly report: ConfigReporter
  /** -T: skips the check of DocumentRoot. */
  readonly skipDocumentRootCheck: boolean
}

/**
 * A configuration while it is read and bound: everything that directives set, and nothing that requests
 * change.
 */
export class ServerConfiguration {
  readonly options: ServerConfigurationOptions
  readonly registry: ModuleRegistry = new ModuleRegistry()
  readonly hooks: HookRegistry = new HookRegistry()
  readonly providers: ProviderRegistry = new ProviderRegistry()
  readonly functions: FunctionRegistry = new FunctionRegistry()
  readonly optionalHooks: OptionalHookRegistry = new OptionalHookRegistry()
  readonly requestSlots: Slots<RequestRecord> = new Slots(RequestRecord.of)
  readonly connectionSlots: Slots<ConnectionRecord> = new Slots(ownConnection)
  /** The modules' cleanups that run when this configuration ends in this process. */
  readonly ending: Cleanups = new Cleanups()
  readonly methods: MethodRegistry = new MethodRegistry()
  readonly defines: Defines
  readonly process: ProcessConfig
  readonly main: ServerRecord
  readonly standardFiles: StandardFiles
  /** Virtual hosts in file order. */
  readonly virtualHosts: ServerRecord[] = []
  /** Every section of the server files, in file order. */
  readonly sections: Section[] = []
  /** Included files with the line that includes them, for DUMP_INCLUDES. */
  readonly includes: {
    readonly path: string
    readonly from: { readonly file: string; readonly line: number } | null
    readonly depth: number
  }[] = []
  /** LoadModule lines of modules that this server does not provide. */
  readonly missingModules: MissingModules = new MissingModules(this.includes)
  /** The keys of ModuleSignedBy; null if there is no such line, and modules need no signature. */
  moduleKeys: readonly SigningKey[] | null = null
  /** The bodies of false conditions in the server files, which were not read, in file order. */
  readonly skippedBodies: SkippedBody[] = []
  /** Directives that were accepted without effect, each with its first occurrence, `FILE:LINE`. */
  readonly withoutEffect: Map<string, string> = new Map()
  /** Places of lines with typographic quotes, which are part of the words, as in httpd. */
  readonly typographicQuotes: string[] = []
  /** Lines of the server files that mark files as programs, in order. */
  readonly programLines: ProgramLine[] = []
  /** The lines of the server files as they were read, if the caller asked to keep them; otherwise null. */
  keptLines: readonly ConfigNode[] | null = null
  serverRoot: string
  runtimeDir: string | null = null
  /**
   * The first registration that a module made too late, or null. Because the missing function may decide
   * about access, no request is served.
   */
  lateRegistration: string | null = null
  #effects: ReadEffect[] = []
  #reporter: ConfigReporter

  constructor(options: ServerConfigurationOptions) {
    this.options = options
    this.#reporter = options.report
    this.serverRoot = options.serverRoot
    this.defines = new Defines(options.defines, options.environment, (name) =>
      this.report('core', 'warn', 'AH00111', `Config variable \${${name}} is not defined`),
    )
    this.standardFiles = options.standardFiles ?? DEFAULT_LAYOUT_FILES
    this.process = createProcessConfig(this.standardFiles.pidFile)
    this.main = new ServerRecord(createCoreServer(), { isVirtual: false, file: options.configFile, line: 0 })
    this.main.defaults = new Section(
      {
        kind: 'server',
        title: '',
        argument: '',
        file: options.configFile,
        line: 0,
        parent: null,
        server: this.main,
        sequence: 0,
      },
      null,
    )
  }

  /** Sends further messages about the configuration elsewhere: to the error log, once it is open. */
  reportTo(reporter: ConfigReporter): void {
    this.#reporter = reporter
  }

  report(module: string, level: LogLevelName, code: string, text: string, isOfHost = false): void {
    this.#reporter(module, level, code, text, isOfHost)
  }

  /** Makes a path absolute, relative to the current ServerRoot. */
  serverRelative(path: string): string {
    const absolute = isAbsolute(path) ? normalize(path) : resolve(this.serverRoot, path)
    // Directives such as Alias depend on a trailing slash, which `resolve` drops.
    return path.endsWith('/') && !absolute.endsWith('/') ? `${absolute}/` : absolute
  }

  /** DefaultRuntimeDir, otherwise the folder of the pid file. */
  get runtimeFolder(): string {
    return this.runtimeDir ?? this.serverRelative(dirname(this.standardFiles.pidFile))
  }

  /** A path relative to DefaultRuntimeDir (`logs` below the ServerRoot). */
  runtimeRelative(path: string): string {
    if (isAbsolute(path)) return normalize(path)
    return this.runtimeDir === null ? this.serverRelative(path) : resolve(this.runtimeDir, path)
  }

  /** Hooks are sorted and providers were looked up: later registrations have no effect. */
  closeRegistration(): void {
    const late = (message: string): void => {
      this.lateRegistration ??= message
      this.report('core', 'crit', '', `${message}: no request is served until this is fixed; wait in register, which is awaited`)
    }
    this.hooks.close(late)
    this.optionalHooks.close(late)
    this.providers.close(late)
  }

  noteWithoutEffect(name: string, { file, line }: { readonly file: string; readonly line: number }): void {
    if (!this.withoutEffect.has(name)) this.withoutEffect.set(name, `${file}:${line}`)
  }

  /** Requests an action of the reader before its next line. */
  requestEffect(effect: ReadEffect): void {
    this.#effects.push(effect)
  }

  takeEffects(): readonly ReadEffect[] {
    const effects = this.#effects
    this.#effects = []
    return effects
  }

  get servers(): readonly ServerRecord[] {
    return [this.main, ...this.virtualHosts]
  }
}

function ownConnection(connection: object): ConnectionRecord {
  if (!(connection instanceof ConnectionRecord)) throw new TypeError('not a connection of this server')
  return connection
}
