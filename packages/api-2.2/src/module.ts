import type { Hooks } from './hooks.ts'
import type { Request } from './request.ts'

/** Where a directive may stand, and what AllowOverride admits it in .htaccess. */
export type CommandContext = 'rsrc_conf' | 'access_conf' | 'or_authcfg' | 'or_limit' | 'or_options' | 'or_fileinfo' | 'or_indexes'

/** One directive. `set` returns an error text or nothing. */
export type Command<D> =
  | {
      readonly name: string
      readonly kind: 'take1'
      readonly context: CommandContext
      set(config: D, word: string): string | undefined
    }
  | {
      readonly name: string
      readonly kind: 'flag'
      readonly context: CommandContext
      set(config: D, on: boolean): string | undefined
    }
  | {
      readonly name: string
      readonly kind: 'raw'
      readonly context: CommandContext
      set(config: D, text: string): string | undefined
    }

/** A module's configuration in force for a request. */
export type ConfigOf<D> = (request: Request) => D

/** A module of this line. D is its per-directory configuration. */
export interface Module<D = undefined> {
  /** Identifier, `old_module`. */
  readonly name: string
  /** Source name, `mod_old.c`. */
  readonly source: string
  /** @param path the section's folder, null for the server's default */
  createDirConfig?(path: string | null): D
  mergeDirConfig?(base: D, add: D): D
  readonly commands?: readonly Command<D>[]
  registerHooks?(hooks: Hooks, configOf: ConfigOf<D>): void
}

/**
 * Declares a module of the 2.2 line.
 * @throws TypeError when name or source do not have httpd's form
 */
export function defineModule<D = undefined>(module: NoInfer<Module<D>>): Module<D> {
  if (!/^\w+_module$/.test(module.name)) throw new TypeError(`module name must end in _module: ${module.name}`)
  if (!/^\w+\.c$/.test(module.source)) throw new TypeError(`module source must be a file name that ends in .c: ${module.source}`)
  return Object.freeze({ ...module })
}
