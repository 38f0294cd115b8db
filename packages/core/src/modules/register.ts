import type { AnyModule, ModuleHost, PlacedConfig } from '@gatewright/api'
import type { Generation } from '../config/generation.ts'
import { Section } from '../sections/section.ts'
import type { ConfigServicesImpl } from '../services/config-services.ts'
import type { LoadedModule } from './registry.ts'

/** Adds a module to a generation: its directives, its hooks and providers, its configuration objects for the main server. */
export function registerModule(
  generation: Generation,
  services: ConfigServicesImpl,
  module: AnyModule,
  origin: { readonly builtIn: boolean; readonly file: string | null },
): LoadedModule {
  const loaded = generation.registry.add(module, origin)
  const { index } = loaded
  const host: ModuleHost<never, never> = {
    hooks: generation.hooks.forModule(loaded),
    providers: generation.providers.forModule(loaded),
    functions: generation.functions.forModule(loaded),
    optionalHooks: generation.optionalHooks.forModule(loaded),
    services: services.hostServices,
    log: services.logFor(loaded),
    // Slot `index` of every vector holds what this module's own `create` or `merge` returned, or nothing.
    configOf: (request) => request.config.slots[index] as never,
    serverConfigOf: (server) => server.moduleConfig[index] as never,
    configIn: (section) => (section instanceof Section ? section.slots[index] : undefined) as never,
    placedConfigs: () => placedConfigs(generation, loaded),
    requestSlot: () => generation.requestSlots.make(),
    connectionSlot: () => generation.connectionSlots.make(),
    onEnd: (cleanup) => generation.ending.add(cleanup),
  }
  module.register?.(host)
  generation.main.slot(loaded)
  generation.main.defaults?.slot(loaded)
  return loaded
}

function placedConfigs(generation: Generation, { index }: LoadedModule): readonly PlacedConfig<never>[] {
  return generation.sections.flatMap((section) => {
    const config = section.slots[index]
    return config === undefined ? [] : [{ config: config as never, section }]
  })
}
