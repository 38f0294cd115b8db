import { schemeOf } from '@gatewright/api/peers'
import type { ServerStatus } from '@gatewright/api/status'
import { mapToStorage } from '../lifecycle/map-to-storage.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { CORE_INDEX } from '../modules/registry.ts'
import type { BoundConfiguration } from './bound-configuration.ts'
import type { LoadOptions } from './contract.ts'
import { registerCoreHooks } from './core-hooks.ts'
import { createHttpHost } from './create-http-host.ts'
import type { Services } from './create-services.ts'
import { createWalk, type WalkParts } from './create-walk.ts'
import type { HttpHost } from './http-host.ts'

/** Everything that loading a configuration creates; tools see only its BoundConfiguration. */
export class LoadedParts {
  readonly configuration: ServerConfiguration
  readonly services: Services
  readonly options: LoadOptions
  /** The status of this process; null as long as it does not serve. */
  ownStatus: (() => Promise<ServerStatus>) | null = null
  #walk: WalkParts | null = null
  #host: HttpHost | null = null

  constructor(configuration: ServerConfiguration, services: Services, options: LoadOptions) {
    this.configuration = configuration
    this.services = services
    this.options = options
  }

  /** The walk through sections, which core's own hooks use; they are registered with it. */
  get walk(): WalkParts {
    if (this.#walk !== null) return this.#walk
    const { configuration, services } = this
    const { core, errors } = services.logs
    this.#walk = createWalk(configuration, services, this.options)
    const logs = { log: core, httpLog: errors.forModule({ shortName: 'http', source: 'http_filters.c' }) }
    registerCoreHooks(configuration.hooks, configuration.registry.modules[CORE_INDEX], logs, mapToStorage(this.#walk.walk, core))
    return this.#walk
  }

  /** What serves requests in this process. */
  get host(): HttpHost {
    if (this.#host !== null) return this.#host
    const { configuration } = this
    const scheme = configuration.functions.get(schemeOf)
    for (const server of configuration.servers) server.useScheme(scheme?.(server) ?? null)
    this.#host = createHttpHost(configuration, this.services, this.walk, this.decidingByRequest())
    return this.#host
  }

  decidingByRequest(): readonly string[] {
    const { hooks, providers } = this.configuration
    return [...new Set([...hooks.decidingByRequest(), ...providers.decidingByRequest()])]
  }
}

const PARTS = new WeakMap<BoundConfiguration, LoadedParts>()

/** Remembers what a bound configuration shows. */
export function linkParts(configuration: BoundConfiguration, parts: LoadedParts): void {
  PARTS.set(configuration, parts)
}

/** What a bound configuration shows. For core and its tests alone. */
export function partsOf(configuration: BoundConfiguration): LoadedParts {
  const parts = PARTS.get(configuration)
  if (parts === undefined) throw new TypeError('not a configuration that this server has loaded')
  return parts
}
