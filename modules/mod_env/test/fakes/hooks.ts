import type { Hook, HookFunction, HookName, HookOrder } from '@gatewright/api'

/** Keeps what a module hangs into a hook. */
export class RecordingHook<F> implements Hook<F> {
  readonly functions: F[] = []
  readonly orders: (HookOrder | undefined)[] = []

  add(fn: F, order?: HookOrder): void {
    this.functions.push(fn)
    this.orders.push(order)
  }
}

export type RecordingHooks = { readonly [K in HookName]: RecordingHook<HookFunction<K>> }

export function recordingHooks(): RecordingHooks {
  return {
    preConfig: new RecordingHook(), checkConfig: new RecordingHook(), testConfig: new RecordingHook(), openLogs: new RecordingHook(),
    postConfig: new RecordingHook(), childInit: new RecordingHook(), preConnection: new RecordingHook(), postReadRequest: new RecordingHook(),
    preTranslateName: new RecordingHook(), translateName: new RecordingHook(), mapToStorage: new RecordingHook(),
    postPerdirConfig: new RecordingHook(), headerParser: new RecordingHook(), accessChecker: new RecordingHook(),
    accessCheckerEx: new RecordingHook(), forceAuthn: new RecordingHook(), checkUserId: new RecordingHook(), authChecker: new RecordingHook(),
    noteAuthFailure: new RecordingHook(), typeChecker: new RecordingHook(), fixups: new RecordingHook(), handler: new RecordingHook(),
    insertErrorFilter: new RecordingHook(), logTransaction: new RecordingHook(),
  }
}
