import type { SectionInfo } from './command.ts'
import type { Connection } from './connection.ts'
import type { AnyDirective, DirectiveTable } from './directive.ts'
import type { Hooks } from './hooks.ts'
import type { ModuleLog } from './log.ts'
import type { OptionalFunctions } from './optional-functions.ts'
import type { OptionalHooks } from './optional-hooks.ts'
import type { Providers } from './providers.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'
import type { HostServices, PlacedConfig } from './services.ts'
import type { Slot } from './slot.ts'

/**
 * Per-directory configuration. "Unset" is undefined; a module without merge function replaces. The sections
 * of one walk (folders, files, URLs, conditions) are merged with each other first and the result over the
 * walks before; merging never changes its inputs.
 * @suppliedByModules
 */
export interface PerDirectory<D> {
  /** A new object for a section; for the main server first. */
  create(section: SectionInfo): D
  /**
   * Merges two objects into a third: values set in `over` take precedence. Neither of them may be changed.
   */
  merge?(base: Readonly<D>, over: Readonly<D>): D
}

/**
 * Per-server configuration; a virtual host without own directives of the module shares the main server's.
 * @suppliedByModules
 */
export interface PerServer<S> {
  /** A new object for a server. */
  create(): S
  /** A third object out of the main server's and a virtual host's. Neither of them may be changed. */
  merge?(base: Readonly<S>, over: Readonly<S>): S
}

/**
 * What a module registers itself with. Valid for one generation of the configuration; nothing else is shared.
 */
export interface ModuleHost<D, S> {
  /** The hooks, a property each. */
  readonly hooks: Hooks
  /** What modules offer each other by group and name. */
  readonly providers: Providers
  /** Functions that modules offer each other. */
  readonly functions: OptionalFunctions
  /**
   * Hooks that modules have for each other.
   * @since 2.4.4
   */
  readonly optionalHooks: OptionalHooks
  /** What the host does for modules. */
  readonly services: HostServices
  /** The module's own error log. */
  readonly log: ModuleLog
  /** The module's per-directory configuration in force for a request. */
  configOf(request: Request): Readonly<D>
  /** The module's per-server configuration of a server. */
  serverConfigOf(server: Server): Readonly<S>
  /**
   * The result of one section alone; undefined if the section has none of the module's directives.
   * @since 2.4.2
   */
  configIn(section: SectionInfo): Readonly<D> | undefined
  /**
   * All per-directory configuration objects that sections of the server files made for this module, in file
   * order. Use from checkConfig on.
   */
  placedConfigs(): readonly PlacedConfig<D>[]
  /**
   * A place in every request for a value of the module's own (httpd's `request_config`). To be called while
   * the module registers itself. A sub-request and an internal redirect are requests of their own, and begin
   * without a value.
   * @since 2.4.4
   */
  requestSlot<T>(): Slot<Request, T>
  /**
   * The same in every connection (httpd's `conn_config`).
   * @since 2.4.4
   */
  connectionSlot<T>(): Slot<Connection, T>
  /**
   * Registers a function to run when this generation of the configuration ends in this process: after its
   * last request, before its logs are closed, and also if the configuration is rejected after the module has
   * registered itself. Last registered first; a function that throws is logged and does not prevent the
   * others. A process that is killed runs none.
   * @since 2.4.4
   */
  onEnd(cleanup: () => void): void
}

/**
 * A module. D is its per-directory, S its per-server configuration.
 * @suppliedByModules
 */
export interface Module<D = undefined, S = undefined> {
  /** Identifier, `greeting_module`: LoadModule, `<IfModule>`, -M. */
  readonly name: string
  /** Source name, `mod_greeting.c`: `<IfModule>`, -l, -L and the order of hooks. */
  readonly source: string
  /** Absent when no directive of it has scope `directory`. */
  readonly perDirectory?: PerDirectory<D>
  /** Absent when no directive of it has scope `server`. */
  readonly perServer?: PerServer<S>
  /** Its directives by name. */
  readonly directives?: DirectiveTable<D, S>
  /**
   * Hangs the module's functions into the hooks and registers its providers. Runs when the module is loaded.
   * It may be async: the lines below LoadModule wait for it, for 10 seconds at most, and what it throws or
   * rejects with ends the start (since API 2.4.5).
   */
  register?(host: ModuleHost<D, S>): void
}

/**
 * A module of any configuration types, as the host keeps it: each module is only ever given objects that its
 * own `create` made.
 */
export interface AnyModule {
  /** As of {@link Module}. */
  readonly name: string
  /** As of {@link Module}. */
  readonly source: string
  /** As of {@link Module}. */
  readonly perDirectory?: { create(section: SectionInfo): unknown; merge?(base: never, over: never): unknown }
  /** As of {@link Module}. */
  readonly perServer?: { create(): unknown; merge?(base: never, over: never): unknown }
  /** As of {@link Module}. */
  readonly directives?: Readonly<Record<string, AnyDirective>>
  /** As of {@link Module}. */
  register?(host: ModuleHost<never, never>): void
}

const BRAND = Symbol.for('gatewright.module')

/**
 * Marks an object as a module. The version it is built against is stamped into its file by the build, not by
 * this call.
 * @throws TypeError when name or source do not have httpd's form
 */
export function defineModule<D = undefined, S = undefined>(module: NoInfer<Module<D, S>>): Module<D, S> {
  if (!/^\w+_module$/.test(module.name)) throw new TypeError(`module name must end in _module: ${module.name}`)
  if (!/^\w+\.c$/.test(module.source)) throw new TypeError(`module source must be a file name that ends in .c: ${module.source}`)
  return Object.freeze({ ...module, [BRAND]: true })
}

/** True for what defineModule returned, also from another copy of this package. */
export function isModule(value: unknown): value is AnyModule {
  return typeof value === 'object' && value !== null && BRAND in value
}
