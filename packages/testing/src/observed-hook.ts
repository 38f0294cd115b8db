import type { HookFunction, HookName, HookOrder, Module } from '@gatewright/api'
import { altered } from './fakes/altered.ts'

/** A call of a function that a module has in a hook. */
export interface HookCall<K extends HookName> {
  readonly args: Parameters<HookFunction<K>>
  /** What it returned: an outcome, or a promise of one. */
  readonly result: ReturnType<HookFunction<K>>
}

/** A module to load, and the calls of its functions in one hook. */
export interface ObservedHook<D, S, K extends HookName> {
  readonly module: Module<D, S>
  readonly calls: readonly HookCall<K>[]
  /** Its functions, for calls with other arguments. */
  readonly functions: readonly HookFunction<K>[]
  /** The order with which each function was added. */
  readonly orders: readonly (HookOrder | undefined)[]
}

/** For tests that look at the outcomes of a module in one phase, or at whether it waits. */
export function observedHook<D, S, K extends HookName>(module: Module<D, S>, name: K): ObservedHook<D, S, K> {
  const calls: HookCall<K>[] = []
  const functions: HookFunction<K>[] = []
  const orders: (HookOrder | undefined)[] = []
  return {
    module: {
      ...module,
      register(host) {
        const hook = host.hooks[name]
        const add = (fn: HookFunction<K>, order?: HookOrder): void => {
          functions.push(fn)
          orders.push(order)
          hook.add(recording(fn, calls), order)
        }
        return module.register?.(altered(host, { hooks: altered(host.hooks, { [name]: { add } } as Partial<typeof host.hooks>) }))
      },
    },
    calls,
    functions,
    orders,
  }
}

function recording<K extends HookName>(fn: HookFunction<K>, calls: HookCall<K>[]): HookFunction<K> {
  return new Proxy(fn, {
    apply(target, self, args: Parameters<HookFunction<K>>) {
      const result: ReturnType<HookFunction<K>> = Reflect.apply(target, self, args)
      calls.push({ args, result })
      return result
    },
  })
}
