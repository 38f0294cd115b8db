import type { OptionalFunction, OptionalFunctions } from '@gatewright/api'
import { NameTaken } from './provider-registry.ts'
import type { LoadedModule } from './registry.ts'

type AnyFunction = (...args: never[]) => unknown

/** The optional functions of one configuration, by name and version, with the modules that provide them. */
export class FunctionRegistry {
  readonly #functions = new Map<string, { readonly fn: AnyFunction; readonly owner: string }>()
  /**
   * What was found for each key object; null if nothing. Modules share a key by importing its declaration, so
   * that the lookups of each request need not build a name.
   */
  #found = new WeakMap<OptionalFunction<AnyFunction>, AnyFunction | null>()

  forModule(owner: LoadedModule): OptionalFunctions {
    return { offer: (key, fn) => this.offer(key, fn, owner.module.source), get: (key) => this.get(key) }
  }

  /** @param owner the module's name for messages */
  offer<F extends AnyFunction>(key: OptionalFunction<F>, fn: F, owner: string = 'the server'): void {
    const known = this.#functions.get(nameOf(key))
    if (known !== undefined) {
      throw new NameTaken(
        `the optional function ${key.name} of ${owner} is already offered by ${known.owner}`,
        'load only one of the two modules',
      )
    }
    this.#functions.set(nameOf(key), { fn, owner })
    this.#found = new WeakMap()
  }

  get<F extends AnyFunction>(key: OptionalFunction<F>): F | undefined {
    let fn = this.#found.get(key)
    if (fn === undefined) {
      fn = this.#functions.get(nameOf(key))?.fn ?? null
      this.#found.set(key, fn)
    }
    // Functions are provided and found only by the key, which carries the function's type.
    return (fn ?? undefined) as F | undefined
  }
}

function nameOf({ name, version = 0 }: OptionalFunction<AnyFunction>): string {
  return `${name} ${version}`
}
