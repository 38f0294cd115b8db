import type { HookName } from '@gatewright/api'
import type { ConfigLine, ModuleEntry, ServerInventory } from '@gatewright/api/status'
import type { ConfigNode } from '@gatewright/config'
import { helpOf } from '../base/directive-help.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { LoadedModule, ModuleRegistry } from '../modules/registry.ts'

/** Builds the inventory of a configuration. */
export function inventoryOf(configuration: ServerConfiguration): ServerInventory {
  const { registry, hooks, providers, process } = configuration
  const names = Object.keys(hooks.lists) as HookName[]
  return {
    serverRoot: configuration.serverRoot,
    configFile: configuration.options.configFile,
    modules: registry.modules.map(moduleEntry),
    hooks: names.map((name) => ({ name, functions: hooks.lists[name].entriesInOrder() })),
    providers: [
      { group: 'authn', names: providers.authn.names() },
      { group: 'authz', names: providers.authz.names() },
      ...providers.ofModules,
    ],
    config: (configuration.keptLines ?? []).map((node) => configLine(node, registry)),
    maxProcesses: process.serverLimit,
    threadsPerProcess: process.threadsPerChild,
  }
}

function moduleEntry({ module }: LoadedModule): ModuleEntry {
  const { source, perDirectory, perServer, directives = {} } = module
  const configures: ModuleEntry['configures'][number][] = []
  if (perDirectory !== undefined) configures.push('create directory')
  if (perDirectory?.merge !== undefined) configures.push('merge directory')
  if (perServer !== undefined) configures.push('create server')
  if (perServer?.merge !== undefined) configures.push('merge server')
  return {
    source,
    configures,
    directives: Object.entries(directives).map(([name, spec]) => ({
      name: name.startsWith('<') ? `${name}>` : (spec.declaredAs ?? name),
      help: helpOf(spec) ?? '',
    })),
  }
}

function configLine({ name, text, file, line, children }: ConfigNode, registry: ModuleRegistry): ConfigLine {
  return {
    name,
    text,
    file,
    line,
    source: registry.directive(name)?.[0].owner.module.source ?? null,
    children: children?.map((child) => configLine(child, registry)) ?? null,
  }
}
