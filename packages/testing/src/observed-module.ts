import type { Module, ModuleHost } from '@gatewright/api'

/** A module to load, and the host that the server gives it. */
export interface ObservedModule<D, S> {
  readonly module: Module<D, S>
  /** The host that the module was registered with: its configuration, functions and providers. @throws Error before the server has loaded it */
  readonly host: ModuleHost<D, S>
}

/** For tests that look at the configuration, functions or providers of a module in a real server. */
export function observedModule<D, S>(module: Module<D, S>): ObservedModule<D, S> {
  let given: ModuleHost<D, S> | undefined
  return {
    module: {
      ...module,
      register(host) {
        given = host
        return module.register?.(host)
      },
    },
    get host() {
      if (given === undefined) throw new Error(`no server has loaded ${module.name}`)
      return given
    },
  }
}
