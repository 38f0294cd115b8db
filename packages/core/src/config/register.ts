import type { AnyModule, ModuleHost, PlacedConfig, Server } from '@gatewright/api'
import { isThenable } from '../base/thenable.ts'
import { Section } from '../model/section.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { ServerRecord } from '../model/server-record.ts'
import type { LoadedModule } from '../modules/registry.ts'
import type { ConfigServicesImpl } from './config-services.ts'

/**
 * Timeout of a module's registration in milliseconds. Processes that load have more time, so that this is
 * reported before they are ended.
 */
const REGISTER_DEADLINE = 10_000

/**
 * Adds a module to a configuration: its directives, its hooks and providers, its configuration objects for
 * the main server. A `register` that returns a promise is awaited, because registrations after an `await` may
 * protect a site.
 * @param deadline its timeout in milliseconds
 */
export async function registerModule(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  module: AnyModule,
  origin: { readonly builtIn: boolean; readonly file: string | null },
  deadline: number = REGISTER_DEADLINE,
): Promise<LoadedModule> {
  const loaded = configuration.registry.add(module, origin)
  const { index } = loaded
  const host: ModuleHost<never, never> = {
    hooks: configuration.hooks.forModule(loaded),
    providers: configuration.providers.forModule(loaded),
    functions: configuration.functions.forModule(loaded),
    optionalHooks: configuration.optionalHooks.forModule(loaded),
    services: services.hostServices,
    log: services.logFor(loaded),
    // Slot `index` of every vector holds what this module's own `create` or `merge` returned, or nothing.
    configOf: (request) => request.config.slots[index] as never,
    serverConfigOf: (server) => server.moduleConfig[index] as never,
    configIn: (section) => (section instanceof Section ? section.slots[index] : undefined) as never,
    defaultsOf: (server) => ownServer(server).walkBase.slots[index] as never,
    placedConfigs: () => placedConfigs(configuration, loaded),
    requestSlot: () => configuration.requestSlots.make(),
    connectionSlot: () => configuration.connectionSlots.make(),
    onEnd: (cleanup) => configuration.ending.add(cleanup),
  }
  const registering: unknown = module.register?.(host)
  if (isThenable(registering)) await inTime(registering, deadline)
  configuration.main.slot(loaded)
  configuration.main.defaults?.slot(loaded)
  return loaded
}

async function inTime(registering: PromiseLike<unknown>, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RegisterDeadline(`register did not end within ${deadline / 1000} s`)), deadline)
  })
  await Promise.race([registering, late]).finally(() => clearTimeout(timer))
}

/** The `register` of a module did not finish in time. */
export class RegisterDeadline extends Error {}

function ownServer(server: Server): ServerRecord {
  if (!(server instanceof ServerRecord)) throw new TypeError('not a server of this configuration')
  return server
}

function placedConfigs(configuration: ServerConfiguration, { index }: LoadedModule): readonly PlacedConfig<never>[] {
  const { main, sections } = configuration
  return [...(main.defaults === null ? [] : [main.defaults]), ...sections].flatMap((section) => {
    const config = section.slots[index]
    return config === undefined ? [] : [{ config: config as never, section }]
  })
}
