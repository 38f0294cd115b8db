import type { SectionInfo } from './command.ts'
import type { OptionalFunctions } from './contracts.ts'
import type { DirectiveTable } from './directive.ts'
import type { Hooks } from './hooks.ts'
import type { ModuleLog } from './log.ts'
import type { Providers } from './providers.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'
import type { HostServices } from './services.ts'

/**
 * Per-directory configuration. "Unset" is undefined; without a merge function, a module's later object
 * replaces the earlier one.
 */
export interface PerDirectory<D> {
  create(section: SectionInfo): D
  merge?(base: Readonly<D>, over: Readonly<D>): D
}

/**
 * Per-server configuration; a virtual host without its own directives of the module shares the object of the
 * main server.
 */
export interface PerServer<S> {
  create(): S
  merge?(base: Readonly<S>, over: Readonly<S>): S
}

/** The host's interface to a module's registration. */
export interface ModuleHost<D, S> {
  readonly hooks: Hooks
  readonly providers: Providers
  readonly functions: OptionalFunctions
  readonly services: HostServices
  readonly log: ModuleLog
  configOf(request: Request): Readonly<D>
  serverConfigOf(server: Server): Readonly<S>
}

/** A module of this line. D is its per-directory, S its per-server configuration. */
export interface Module<D = undefined, S = undefined> {
  /** Identifier, `old_module`. */
  readonly name: string
  /** Source name, `mod_old.c`. */
  readonly source: string
  readonly perDirectory?: PerDirectory<D>
  readonly perServer?: PerServer<S>
  readonly directives?: DirectiveTable<D, S>
  register?(host: ModuleHost<D, S>): void
}

const BRAND = Symbol.for('gatewright.module')

/**
 * Marks an object as a module of the 2.2 line.
 * @throws TypeError if name or source do not have httpd's form
 */
export function defineModule<D = undefined, S = undefined>(module: NoInfer<Module<D, S>>): Module<D, S> {
  if (!/^\w+_module$/.test(module.name)) throw new TypeError(`module name must end in _module: ${module.name}`)
  if (!/^\w+\.c$/.test(module.source)) throw new TypeError(`module source must be a file name that ends in .c: ${module.source}`)
  return Object.freeze({ ...module, [BRAND]: true })
}
