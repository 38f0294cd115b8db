import type { HostServices, Module } from '@gatewright/api'
import { altered } from './altered.ts'

/** A module that gets some services from a test, for example one that answers late, and the others from the server. */
export function withServices<D, S>(module: Module<D, S>, services: Partial<HostServices>): Module<D, S> {
  return {
    ...module,
    register: (host) => module.register?.(altered(host, { services: altered(host.services, services) })),
  }
}
