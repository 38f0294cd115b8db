import type { Command, ModuleHost, Providers, Server } from '@gatewright/api'

/**
 * The providers of the generation that a directive belongs to. A directive's handler is given no host, so each host is remembered by its
 * servers; the virtual hosts are known only when all directives were handled, and until then the host that is being configured stands in.
 */
const providersByServer = new WeakMap<Server, Providers>()
let beingConfigured: Providers | undefined

/** Call once, from `register`. */
export function rememberProviders<D, S>({ hooks, providers }: ModuleHost<D, S>): void {
  hooks.preConfig.add(
    ({ servers }) => {
      beingConfigured = providers
      for (const server of servers) providersByServer.set(server, providers)
    },
    { rank: 'really-first' },
  )
  hooks.checkConfig.add(
    ({ servers }) => {
      beingConfigured = undefined
      for (const server of servers) providersByServer.set(server, providers)
    },
    { rank: 'really-first' },
  )
}

/** @throws Error when the directive is handled outside of the host's start: no server of it is known */
export function providersFor(command: Command): Providers {
  const providers = providersByServer.get(command.server) ?? beingConfigured
  if (providers === undefined)
    throw new Error(`${command.file}:${command.line}: ${command.name} is handled before the server was configured`)
  return providers
}
