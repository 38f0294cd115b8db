import { HOOK_RULES, type Hook, type HookFunction, type HookName, type HookOrder } from '@gatewright/api'

/** Records the functions that a module adds to a hook. */
export class RecordingHook<F> implements Hook<F> {
  readonly functions: F[] = []
  readonly orders: (HookOrder | undefined)[] = []

  add(fn: F, order?: HookOrder): void {
    this.functions.push(fn)
    this.orders.push(order)
  }
}

export type RecordingHooks = { readonly [K in HookName]: RecordingHook<HookFunction<K>> }

type SomeHooks = { [K in HookName]?: RecordingHook<HookFunction<K>> }

/** Recorders for all hooks. */
export function recordingHooks(): RecordingHooks {
  const hooks: SomeHooks = {}
  for (const name of NAMES) addHook(hooks, name)
  if (!isComplete(hooks)) throw new Error('a hook is missing')
  return hooks
}

const NAMES = Object.keys(HOOK_RULES) as HookName[]

function addHook<K extends HookName>(hooks: SomeHooks, name: K): void {
  hooks[name] = new RecordingHook() as SomeHooks[K]
}

function isComplete(hooks: SomeHooks): hooks is RecordingHooks {
  return NAMES.every((name) => hooks[name] !== undefined)
}
