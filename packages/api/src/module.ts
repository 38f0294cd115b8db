import type { ModuleCapability } from './capability.ts'
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
 * Per-directory configuration. "Unset" is undefined; without a merge function, a module's later object
 * replaces the earlier one. The sections of one walk (folders, files, URLs, conditions) are merged with each
 * other first, and the result is merged over that of the walks before. Merging never changes its inputs.
 * @suppliedByModules
 */
export interface PerDirectory<D> {
  /** Makes a new object for a section; the first call is for the main server. */
  create(section: SectionInfo): D
  /**
   * Merges two objects into a third: values set in `over` take precedence. Must not change either of them.
   */
  merge?(base: Readonly<D>, over: Readonly<D>): D
}

/**
 * Per-server configuration; a virtual host without its own directives of the module shares the object of the
 * main server.
 * @suppliedByModules
 */
export interface PerServer<S> {
  /** Makes a new object for a server. */
  create(): S
  /**
   * Merges the objects of the main server and of a virtual host into a third. Must not change either of them.
   */
  merge?(base: Readonly<S>, over: Readonly<S>): S
}

/**
 * The host's interface to a module's registration. Valid for one generation of the configuration; generations
 * share nothing else.
 */
export interface ModuleHost<D, S> {
  /** The hooks, one property each. */
  readonly hooks: Hooks
  /** Objects that modules provide to each other, by group and name. */
  readonly providers: Providers
  /** Functions that modules provide to each other. */
  readonly functions: OptionalFunctions
  /**
   * Hooks that modules define for each other.
   * @since 2.4.4
   */
  readonly optionalHooks: OptionalHooks
  /** Services of the host for modules. */
  readonly services: HostServices
  /** The module's own error log. */
  readonly log: ModuleLog
  /** The module's per-directory configuration in force for a request. */
  configOf(request: Request): Readonly<D>
  /** The module's per-server configuration for a server. */
  serverConfigOf(server: Server): Readonly<S>
  /**
   * The module's configuration from one section alone; undefined if the section contains none of the module's
   * directives.
   * @since 2.4.2
   */
  configIn(section: SectionInfo): Readonly<D> | undefined
  /**
   * The per-directory configuration of a server's lines outside of sections, those of the main server
   * included; httpd's `lookup_defaults`. Use from checkConfig on.
   * @since 2.4.6
   */
  defaultsOf(server: Server): Readonly<D>
  /**
   * All per-directory configuration objects of this module from the server files, in file order: that of the main
   * server's lines outside of sections (kind `server`, since API 2.4.6; always there), those of virtual hosts (kind
   * `VirtualHost`) and those of sections. None is merged with another. Available from checkConfig on.
   */
  placedConfigs(): readonly PlacedConfig<D>[]
  /**
   * A slot in every request for a value of the module (httpd's `request_config`). Call this while the module
   * registers itself. A sub-request or internal redirect is a separate request and starts without a value.
   * @since 2.4.4
   */
  requestSlot<T>(): Slot<Request, T>
  /**
   * The same for every connection (httpd's `conn_config`).
   * @since 2.4.4
   */
  connectionSlot<T>(): Slot<Connection, T>
  /**
   * Registers a function to run when this generation of the configuration ends in this process: after its
   * last request, before its logs are closed, and also if the configuration is rejected after the module has
   * registered itself. Functions run in reverse order of registration; an error in one is logged and does not
   * prevent the others. A killed process runs none.
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
  /** Absent if none of its directives has scope `directory`. */
  readonly perDirectory?: PerDirectory<D>
  /** Absent if none of its directives has scope `server`. */
  readonly perServer?: PerServer<S>
  /** Its directives by name. */
  readonly directives?: DirectiveTable<D, S>
  /**
   * What the module uses beyond the API, as an array of string literals, which the build compares with what the
   * module imports and records in its stamp. Absent: nothing.
   * @since 2.4.6
   */
  readonly capabilities?: readonly ModuleCapability[]
  /**
   * Adds the module's functions to hooks and registers its providers. Runs when the module is loaded. It may
   * be async: the lines after LoadModule wait for it, for 10 seconds at most, and an error or rejection ends
   * the start (since API 2.4.5).
   */
  register?(host: ModuleHost<D, S>): void
}

/**
 * A module of any configuration types, in the host's form: the host passes each module only objects that its
 * own `create` made.
 */
export interface AnyModule {
  /** See {@link Module}. */
  readonly name: string
  /** See {@link Module}. */
  readonly source: string
  /** See {@link Module}. */
  readonly perDirectory?: { create(section: SectionInfo): unknown; merge?(base: never, over: never): unknown }
  /** See {@link Module}. */
  readonly perServer?: { create(): unknown; merge?(base: never, over: never): unknown }
  /** See {@link Module}. */
  readonly directives?: Readonly<Record<string, AnyDirective>>
  /**
   * See {@link Module}.
   * @since 2.4.6
   */
  readonly capabilities?: readonly ModuleCapability[]
  /** See {@link Module}. */
  register?(host: ModuleHost<never, never>): void
}

const BRAND = Symbol.for('gatewright.module')

/**
 * Marks an object as a module. The build, not this call, stamps the API version into the module's file.
 * @throws TypeError if name or source do not have httpd's form
 */
export function defineModule<D = undefined, S = undefined>(module: NoInfer<Module<D, S>>): Module<D, S> {
  if (!/^\w+_module$/.test(module.name)) throw new TypeError(`module name must end in _module: ${module.name}`)
  if (!/^\w+\.c$/.test(module.source)) throw new TypeError(`module source must be a file name that ends in .c: ${module.source}`)
  return Object.freeze({ ...module, [BRAND]: true })
}

/** Whether a value was returned by defineModule, possibly of another copy of this package. */
export function isModule(value: unknown): value is AnyModule {
  return typeof value === 'object' && value !== null && BRAND in value
}
