import type { Server } from '@gatewright/api'
import type { RequestReadLimits } from '@gatewright/api/peers'
import type { ConnectionSettings } from '@gatewright/http'
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
  /** The host as written, without brackets: a name of the virtual host for requests that no ServerName or ServerAlias answers. */
  readonly name: string
}

/** The main server or a virtual host. Filled while the configuration is bound, read-only afterwards. */
export class ServerRecord implements Server {
  readonly core: CoreServerConfig
  readonly isVirtual: boolean
  readonly file: string
  readonly line: number
  /** Configuration objects by module number; for a virtual host undefined until merged. */
  readonly moduleConfig: unknown[] = []
  /** Server-level per-directory directives. */
  defaults: Section | null = null
  /** The defaults merged: where every walk begins. */
  base: MergedConfig | null = null
  readonly addresses: VirtualHostAddress[] = []
  /** Port in URLs of a virtual host that has no ServerName: that of its first address, else that of the main server as far as it is known by then; 0 for none. */
  standardPort = 0
  /** What a module says of the time that requests may take to arrive. */
  readLimits: RequestReadLimits | null = null
  /** The methods that are registered, once the configuration is bound. */
  methods: MethodRegistry | null = null
  private settings: ConnectionSettings | null = null

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

  get scheme(): 'http' | 'https' {
    return this.core.serverName?.scheme ?? 'http'
  }

  get serverAdmin(): string | null {
    return this.core.serverAdmin ?? null
  }

  get documentRoot(): string {
    return this.core.documentRoot ?? '/'
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

  /** The module's per-server configuration, made when its first directive is met. */
  slot(owner: LoadedModule): unknown {
    const made = this.moduleConfig[owner.index]
    if (made !== undefined) return made
    const fresh = owner.module.perServer?.create()
    this.moduleConfig[owner.index] = fresh
    return fresh
  }

  /** What the engine is told of this server's directives, once the configuration is bound. */
  get connectionSettings(): ConnectionSettings {
    return (this.settings ??= connectionSettings(this))
  }

  /** The base of all walks; set once the configuration is bound. */
  get walkBase(): MergedConfig {
    if (this.base === null) throw new Error('the configuration is not bound yet')
    return this.base
  }
}

/** Completes a virtual host: what it does not say itself it has from the main server. */
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
