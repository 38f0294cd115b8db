import type {
  AuthnProvider,
  AuthzProvider,
  ConfigServices,
  HookName,
  HostServices,
  InputFilter,
  LogLevelName,
  LogSubject,
  Module,
  ModuleHost,
  OptionalFunction,
  OptionalFunctions,
  OutputFilter,
  Request,
  SectionInfo,
  SectionKind,
  Server,
  StartContext,
} from '@gatewright/api'
import { applyLine, fakeCommand, fakeServices, messageOf } from './command.ts'
import { emptyGroup } from './empty-group.ts'
import { fakeSlot } from './fake-slot.ts'
import { type RecordingHooks, recordingHooks } from './hooks.ts'
import { fakeServer, mainServer } from './request.ts'

/** One line of a module's log. */
export interface Logged {
  readonly level: LogLevelName
  readonly code: string
  readonly text: string
  readonly subject: LogSubject
}

export interface BenchOptions {
  readonly services?: Partial<HostServices>
  readonly configServices?: Partial<ConfigServices>
}

/** A module under test without a host: configured line by line, with access to its hooks. */
export class Bench<D, S> {
  readonly hooks: RecordingHooks = recordingHooks()
  readonly functions: FakeFunctions = new FakeFunctions()
  readonly log: Logged[] = []
  /** Messages that directives reported while they were read: `LEVEL CODE TEXT`. */
  readonly reports: string[] = []
  readonly servers: Server[] = [mainServer]
  readonly #module: Module<D, S>
  readonly #services: ConfigServices
  readonly #serverConfigs = new Map<Server, S>()
  readonly #mainSection: SectionInfo
  readonly #mainConfig: D | undefined
  #inForce: D | undefined
  #lineNumber = 0

  constructor(module: Module<D, S>, options: BenchOptions = {}) {
    this.#module = module
    this.#services = fakeServices(options.configServices)
    this.#mainSection = this.#section('server', '', mainServer)
    this.#mainConfig = module.perDirectory?.create(this.#mainSection)
    this.#inForce = this.#mainConfig
    if (module.perServer !== undefined) this.#serverConfigs.set(mainServer, module.perServer.create())
    module.register?.(this.#host(options.services ?? {}))
  }

  /** Reads lines of the main server. @returns the first error, or undefined */
  main(...lines: string[]): string | undefined {
    return this.#apply(lines, this.#mainSection, this.#mainConfig)
  }

  /** Reads lines of a virtual host, whose configuration is merged over the main server's. */
  virtualHost(...lines: string[]): {
    readonly server: Server
    readonly config: D | undefined
    readonly error: string | undefined
  } {
    const server = fakeServer({ serverName: 'vhost.test', isVirtual: true, line: 100 + this.servers.length })
    this.servers.push(server)
    const { perServer, perDirectory } = this.#module
    const section = this.#section('VirtualHost', '*', server)
    const config = perDirectory?.create(section)
    const base = this.#serverConfigs.get(mainServer)
    if (perServer !== undefined && base !== undefined) this.#serverConfigs.set(server, perServer.create())
    const error = this.#apply(lines, section, config)
    const own = this.#serverConfigs.get(server)
    if (perServer?.merge !== undefined && base !== undefined && own !== undefined)
      this.#serverConfigs.set(server, perServer.merge(base, own))
    return { server, config, error }
  }

  /** Reads lines of a section. @throws Error for the first invalid one */
  in(kind: SectionKind, argument: string, ...lines: string[]): D {
    const section = this.#section(kind, argument, mainServer)
    const config = this.#module.perDirectory?.create(section)
    if (config === undefined) throw new Error('the module has no per-directory configuration')
    const error = this.#apply(lines, section, config)
    if (error !== undefined) throw new Error(error)
    return config
  }

  /** The error for a line in a section, or undefined. */
  errorIn(kind: SectionKind, argument: string, line: string): string | undefined {
    const section = this.#section(kind, argument, mainServer)
    return this.#apply([line], section, this.#module.perDirectory?.create(section))
  }

  /** Sets the configurations of later requests, merged in order over the main server's. */
  use(...configs: (D | undefined)[]): void {
    this.#inForce = this.#mainConfig
    for (const config of configs) {
      if (config === undefined || this.#inForce === undefined) continue
      const merge = this.#module.perDirectory?.merge
      this.#inForce = merge === undefined ? config : merge(this.#inForce, config)
    }
  }

  /** The only function of a hook. */
  hook<K extends HookName>(name: K): RecordingHooks[K]['functions'][number] {
    const { functions } = this.hooks[name]
    if (functions.length !== 1) throw new Error(`${name} has ${functions.length} functions`)
    return functions[0]
  }

  start(changes: Partial<StartContext> = {}): StartContext {
    return {
      servers: this.servers,
      checkOnly: false,
      serverRelative: (path) => `/srv/${path}`,
      typesConfig: '/srv/conf/mime.types',
      defined: () => false,
      print: () => undefined,
      ...changes,
    }
  }

  serverConfig(server: Server = mainServer): S {
    const config = this.#serverConfigs.get(server)
    if (config === undefined) throw new Error('no configuration')
    return config
  }

  #apply(lines: readonly string[], section: SectionInfo, config: D | undefined): string | undefined {
    for (const line of lines) {
      const [, name, text] = /^\s*(\S+)\s*(.*)$/s.exec(line) ?? ['', line, '']
      const entry = Object.entries(this.#module.directives ?? {}).find(([key]) => key.toLowerCase() === name.toLowerCase())
      if (entry === undefined) throw new Error(`the module has no ${name}`)
      const [declared, spec] = entry
      const options = {
        section,
        services: this.#services,
        line: ++this.#lineNumber,
        report: (text: string) => this.reports.push(text),
      }
      const command = fakeCommand(declared, text, options)
      const error = applyLine(spec, spec.scope === 'directory' ? config : this.#serverConfigs.get(section.server), text, command)
      if (error !== undefined) return messageOf(error)
    }
    return undefined
  }

  #section(kind: SectionKind, argument: string, server: Server): SectionInfo {
    const parent = kind === 'server' || kind === 'VirtualHost' ? null : this.#mainSection
    return { kind, title: `<${kind} ${argument}>`, argument, file: '/srv/conf/httpd.conf', line: 1, parent, server, rank: [0] }
  }

  #host(services: Partial<HostServices>): ModuleHost<D, S> {
    return {
      hooks: this.hooks,
      providers: {
        authz: emptyGroup<AuthzProvider>(),
        authn: emptyGroup<AuthnProvider>(),
        outputFilters: emptyGroup<OutputFilter>(),
        inputFilters: emptyGroup<InputFilter>(),
      },
      functions: this.functions,
      optionalHooks: { add: () => undefined, of: () => [] },
      services: fakeHostServices(services),
      log: {
        enabled: () => true,
        write: (subject, level, code, text) => this.log.push({ subject, level, code, text }),
        about: () => {
          throw new Error('not part of these tests')
        },
      },
      configOf: () => this.#required(this.#inForce),
      serverConfigOf: (server) => this.#required(this.#serverConfigs.get(server)),
      configIn: () => undefined,
      placedConfigs: () => [],
      requestSlot: fakeSlot,
      connectionSlot: fakeSlot,
      onEnd: () => undefined,
    }
  }

  #required<T>(value: T | undefined): T {
    if (value === undefined) throw new Error('no configuration')
    return value
  }
}

/** Optional functions of tests and modules. */
export class FakeFunctions implements OptionalFunctions {
  readonly #offered = new Map<string, (...args: never[]) => unknown>()

  offer<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>, fn: F): void {
    this.#offered.set(key.name, fn)
  }

  get<F extends (...args: never[]) => unknown>(key: OptionalFunction<F>): F | undefined {
    // The key of a function determines its type.
    return this.#offered.get(key.name) as F | undefined
  }
}

function fakeHostServices(changes: Partial<HostServices>): HostServices {
  const missing = (): never => {
    throw new Error('the test does not expect this')
  }
  return {
    verifyPassword: missing,
    refusePassword: missing,
    costliestHash: missing,
    remoteHost: missing,
    knownRemoteHost: (_request: Request) => null,
    userName: () => null,
    groupName: () => null,
    homeFolder: () => null,
    addressesOf: missing,
    resolveAddress: missing,
    watchFile: missing,
    searchFile: missing,
    fileText: missing,
    shellPattern: missing,
    openLog: missing,
    secret: missing,
    status: missing,
    inventory: missing,
    serverBanner: () => 'Gatewright/0.1.0',
    serverSignature: () => '',
    ...changes,
  }
}
