import type { OptionalHook, OptionalHooks } from '@gatewright/api'
import { HookList } from './hook-registry.ts'
import type { LoadedModule } from './registry.ts'

type AnyFunction = (...args: never[]) => unknown

/** The hooks that modules of one configuration define for each other, by name. */
export class OptionalHookRegistry {
  readonly #lists = new Map<string, HookList<AnyFunction>>()
  #late: ((message: string) => void) | null = null
  readonly #sorted = new Map<string, readonly AnyFunction[]>()

  /** Every list that contains a function. */
  get all(): Iterable<HookList<AnyFunction>> {
    return this.#lists.values()
  }

  forModule(owner: LoadedModule): OptionalHooks {
    return {
      add: (hook, fn, order) => this.#list(hook.name).bind(owner).add(fn, order),
      // Functions are added and found only by the key, which carries the type of both.
      of: <F extends AnyFunction>(hook: OptionalHook<F>) => this.#functionsOf(hook.name) as readonly F[],
    }
  }

  /** The hooks are sorted: modules can no longer register functions. */
  close(late: (message: string) => void): void {
    this.#late = late
    for (const list of this.#lists.values()) list.close(late)
  }

  #list(name: string): HookList<AnyFunction> {
    let list = this.#lists.get(name)
    if (list === undefined) {
      list = new HookList(name)
      if (this.#late !== null) list.close(this.#late)
      this.#lists.set(name, list)
    }
    return list
  }

  #functionsOf(name: string): readonly AnyFunction[] {
    let functions = this.#sorted.get(name)
    if (functions === undefined) {
      functions = this.#lists.get(name)?.sorted().functions ?? []
      this.#sorted.set(name, functions)
    }
    return functions
  }
}
