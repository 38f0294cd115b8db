import type { AnyDirective, AnyModule } from '@gatewright/api'
import { requiredBits } from '../base/context-bits.ts'
import { requireOwnForm } from './directive-form.ts'

/** Core is always the first module. */
export const CORE_INDEX = 0

/** A module in this configuration. Its number is its index in every configuration vector. */
export interface LoadedModule {
  readonly module: AnyModule
  readonly index: number
  /** Whether it is compiled in and not loaded by LoadModule. */
  readonly builtIn: boolean
  /** The path of its file; null for a built-in module. */
  readonly file: string | null
  /** Log tag and `LogLevel NAME:`, the identifier without `_module`. */
  readonly shortName: string
}

/** A row of a module's directive table with its module. */
export interface BoundDirective {
  readonly owner: LoadedModule
  /** Spelling in messages. */
  readonly name: string
  readonly spec: AnyDirective
  readonly required: number
}

/** The modules of one configuration, in load order, and their directives by name. */
export class ModuleRegistry {
  readonly modules: LoadedModule[] = []
  readonly #directives = new Map<string, BoundDirective[]>()

  add(module: AnyModule, origin: { readonly builtIn: boolean; readonly file: string | null }): LoadedModule {
    const loaded: LoadedModule = {
      module,
      index: this.modules.length,
      builtIn: origin.builtIn,
      file: origin.file,
      shortName: module.name.replace(/_module$/, ''),
    }
    for (const [key, spec] of Object.entries(module.directives ?? {})) requireOwnForm(module, key, spec)
    this.modules.push(loaded)
    for (const [key, spec] of Object.entries(module.directives ?? {})) {
      const bound: BoundDirective = { owner: loaded, name: spec.declaredAs ?? key, spec, required: requiredBits(spec) }
      const list = this.#directives.get(key.toLowerCase())
      // All modules that declare a directive are called, the one loaded last first.
      if (list === undefined) this.#directives.set(key.toLowerCase(), [bound])
      else list.unshift(bound)
    }
    return loaded
  }

  /** Rows for a name, in any case; those of the module loaded last come first. */
  directive(name: string): readonly BoundDirective[] | undefined {
    return this.#directives.get(name.toLowerCase())
  }

  /** Every known directive name, in lower case. */
  directiveNames(): IterableIterator<string> {
    return this.#directives.keys()
  }

  /** By identifier (`alias_module`) or source name (`mod_alias.c`), case-sensitive. */
  find(name: string): LoadedModule | undefined {
    return this.modules.find(({ module }) => module.name === name || module.source === name)
  }

  /** By any of the spellings that LogLevel accepts: `core`, `core_module`, `mod_core.c`. */
  findForLog(name: string): LoadedModule | undefined {
    return this.modules.find(
      ({ module, shortName }) =>
        shortName === name || module.name === name || module.source === name || module.source === `${name}.c`,
    )
  }
}
