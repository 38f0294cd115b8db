import type { Server } from '@gatewright/api'
import type { RequestReadLimits } from '@gatewright/api/peers'
import type { ConnectionSettings } from '@gatewright/http'
import type { LevelSettings } from '@gatewright/log'
import type { MethodRegistry } from '../base/method-registry.ts'
import { CORE_INDEX, type LoadedModule, type ModuleRegistry } from '../modules/registry.ts'
import { connectionSettings } from './connection-settings.ts'
import type { MergedConfig } from './merged-config.ts'
import type { Section } from './section.ts'
import { type CoreServerConfig, inheritCoreServer } from './server-config.ts'

/** One address of a `<VirtualHost>` line. */
export interface VirtualHostAddress {
  /** `*` for any. */
  readonly address: string
  /** 0 for any. */
  readonly port: number
  /**
   * The host as written, without brackets: a name of the virtual host for requests that match no ServerName
   * or ServerAlias.
   */
  readonly name: string
}

/** The protocol that every server speaks. */
export const HTTP_1_1 = 'http/1.1'

const NO_PROTOCOLS: readonly string[] = []

/** The main server or a virtual host. Filled while the configuration is bound, read-only afterwards. */
export class ServerRecord implements Server {
  readonly core: CoreServerConfig
  readonly isVirtual: boolean
  readonly file: string
  readonly line: number
  /** Configuration objects by module number; undefined for a virtual host until merged. */
  readonly moduleConfig: unknown[] = []
  /** Server-level per-directory directives. */
  defaults: Section | null = null
  /** The merged defaults: where every walk begins. */
  base: MergedConfig | null = null
  readonly addresses: VirtualHostAddress[] = []
  /**
   * Port in URLs of a virtual host that does not have a ServerName: the port of its first address, otherwise
   * the main server's port if it is already known; 0 for none.
   */
  standardPort = 0
  /** The protocol of its addresses, by the Listen lines. */
  protocol = 'http'
  #moduleScheme: 'http' | 'https' | null = null
  /** A module's limits on the time that requests may take to arrive. */
  readLimits: RequestReadLimits | null = null
  /** The registered methods, once the configuration is bound. */
  methods: MethodRegistry | null = null
  #settings: ConnectionSettings | null = null

  constructor(core: CoreServerConfig, origin: { readonly isVirtual: boolean; readonly file: string; readonly line: number }) {
    this.core = core
    this.moduleConfig[CORE_INDEX] = core
    this.isVirtual = origin.isVirtual
    this.file = origin.file
    this.line = origin.line
  }

  get serverName(): string {
    return this.core.serverName?.name ?? 'localhost'
  }

  get serverPort(): number {
    return this.core.serverName?.port ?? 0
  }

  /** Sets the scheme that a module reports after postConfig, when the record is frozen; null if ServerName determines it. */
  useScheme(scheme: 'http' | 'https' | null): void {
    this.#moduleScheme = scheme
  }

  get scheme(): 'http' | 'https' {
    return this.#moduleScheme ?? this.core.serverName?.scheme ?? 'http'
  }

  get aliases(): readonly string[] {
    return this.core.serverAliases
  }

  get serverAdmin(): string | null {
    return this.core.serverAdmin ?? null
  }

  get documentRoot(): string {
    return this.core.documentRoot ?? '/'
  }

  get protocols(): readonly string[] {
    return this.core.protocols ?? NO_PROTOCOLS
  }

  get traceMethod(): 'on' | 'off' | 'extended' {
    return this.core.traceEnable ?? 'on'
  }

  get keepsEncodedSlashes(): boolean {
    return this.core.allowEncodedSlashes === 'nodecode'
  }

  get timeout(): number {
    return this.core.timeout ?? 60_000
  }

  get keepAliveTimeout(): number {
    return this.core.keepAliveTimeout ?? 5_000
  }

  get limitRequestLine(): number {
    return this.core.limitRequestLine ?? 8190
  }

  /** The levels of its error log; undefined if no line sets them. */
  get logLevels(): LevelSettings | undefined {
    return this.base?.core.levels
  }

  /** The module's per-server configuration, created for its first directive. */
  slot(owner: LoadedModule): unknown {
    const made = this.moduleConfig[owner.index]
    if (made !== undefined) return made
    const fresh = owner.module.perServer?.create()
    this.moduleConfig[owner.index] = fresh
    return fresh
  }

  /** The settings that the engine receives from this server's directives, once the configuration is bound. */
  get connectionSettings(): ConnectionSettings {
    return (this.#settings ??= connectionSettings(this))
  }

  /** The base of all walks; set once the configuration is bound. */
  get walkBase(): MergedConfig {
    if (this.base === null) throw new Error('the configuration is not bound yet')
    return this.base
  }
}

/** Completes a virtual host: it inherits from the main server what it does not set itself. */
export function mergeServerConfigs(registry: ModuleRegistry, main: ServerRecord, host: ServerRecord): void {
  inheritCoreServer(main.core, host.core)
  for (const { module, index } of registry.modules) {
    if (index === CORE_INDEX) continue
    const base = main.moduleConfig[index]
    const over = host.moduleConfig[index]
    if (over === undefined) host.moduleConfig[index] = base
    else if (base !== undefined && module.perServer?.merge !== undefined) {
      host.moduleConfig[index] = module.perServer.merge(base as never, over as never)
    }
  }
}
