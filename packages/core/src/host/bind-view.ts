import { availableParallelism } from 'node:os'
import type { AnyModule, HookName, ModuleCapability, SectionInfo } from '@gatewright/api'
import { MODULE_CAPABILITIES } from '@gatewright/api/stamp'
import type { ConfigNode } from '@gatewright/config'
import { Section } from '../model/section.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { ServerRecord } from '../model/server-record.ts'
import type { SkippedBody } from '../model/skipped-body.ts'
import { hostForName, VirtualHostTable } from '../model/virtual-hosts.ts'
import type { LoadedModule } from '../modules/registry.ts'
import type { BoundConfiguration, HookView, ModuleView } from './bound-configuration.ts'
import { dumpMutexes } from './dump-mutexes.ts'
import { folderSettings } from './folder-settings.ts'
import { accessFileNames, checkHtaccess, checkHtaccessTexts, servedFolders } from './htaccess-check.ts'
import { lintedConfiguration } from './linted-configuration.ts'
import { type LoadedParts, linkParts } from './loaded-parts.ts'
import { moduleHints } from './module-hints.ts'
import { plainHttpsHints } from './plain-https.ts'
import { planOf } from './plan.ts'
import { programSourceHints, programSources } from './program-sources.ts'
import { startContext } from './start-context.ts'
import { startError } from './start-error.ts'
import { runVoidStartHook } from './start-hooks.ts'
import { workerCountHint } from './worker-count.ts'

/** What tools see of a configuration that was loaded. From now on, its servers and sections cannot change. */
export function bindView(parts: LoadedParts): BoundConfiguration {
  const { configuration, services, options } = parts
  freezeModel(configuration)
  const modules = new Map(configuration.registry.modules.map((loaded) => [loaded, moduleView(loaded)]))
  const { authn, authz, lintRules } = configuration.providers
  const view: BoundConfiguration = {
    plan: planOf(configuration, services.logs.targets.programs),
    configFile: options.configFile,
    serverRoot: configuration.serverRoot,
    main: configuration.main,
    virtualHosts: Object.freeze([...configuration.virtualHosts]),
    servers: Object.freeze([...configuration.servers]),
    sections: Object.freeze([...configuration.sections]),
    modules: Object.freeze([...modules.values()]),
    includes: Object.freeze([...configuration.includes]),
    skippedBodies: Object.freeze([...configuration.skippedBodies]),
    lines: Object.freeze([...(configuration.keptLines ?? [])]),
    defines: new Map(configuration.defines.entries()),
    mutexLines: () => dumpMutexes(configuration),
    withoutEffect: new Map(configuration.withoutEffect),
    providers: Object.freeze({
      authn: Object.freeze({ get: authn.get, names: authn.names }),
      authz: Object.freeze({ get: authz.get, names: authz.names }),
      lintRules: Object.freeze({ get: lintRules.get, names: lintRules.names }),
    }),
    assumedAccessFiles: new Map(options.assumed?.accessFiles),
    accessFileNames: accessFileNames(configuration),
    hostAt: (address, port, name) => hostAt(configuration, address, port, name),
    serverRelative: (path) => configuration.serverRelative(path),
    textOf: (path) => options.source.read(path),
    module: (name) => viewOf(configuration.registry.find(name)),
    modulesOf: (directive) => (configuration.registry.directive(directive) ?? []).flatMap(({ owner }) => viewOf(owner) ?? []),
    offered: (key) => configuration.functions.get(key),
    skippedIn,
    linesIn,
    hooksInOrder: () => hooksInOrder(parts),
    decidingByRequest: () => parts.decidingByRequest(),
    linted: (accessFiles) => lintedConfiguration(configuration, accessFiles),
    hints: () => hintsOf(configuration),
    testConfig: (print) => testConfig(parts, print),
    servedFolders: () => servedFolders(configuration),
    folderSettings: (folder) => folderSettings(configuration, folder),
    checkAccessFiles: (folder) => checkHtaccess(configuration, services.config, folder),
    checkAccessTexts: (texts) => checkHtaccessTexts(configuration, services.config, texts),
    programSources: () => programSources(configuration),
  }
  linkParts(view, parts)
  return Object.freeze(view)

  function viewOf(loaded: LoadedModule | undefined): ModuleView | undefined {
    return loaded === undefined ? undefined : modules.get(loaded)
  }
}

function hostAt({ main, virtualHosts }: ServerConfiguration, address: string, port: number, name: string | null): ServerRecord {
  const hosts = new VirtualHostTable(main, virtualHosts).forAddress(address, port)
  return (name === null ? undefined : hostForName(hosts, name.toLowerCase())) ?? hosts.first
}

function moduleView({ module, shortName, builtIn }: LoadedModule): ModuleView {
  const { name, source, directives = {} } = module
  return Object.freeze({ name, source, shortName, builtIn, directives, capabilities: knownCapabilities(module) })
}

/** Modules' own objects stay as their modules made them. */
function freezeModel({ servers, sections, process }: ServerConfiguration): void {
  for (const server of servers) freezeServer(server)
  for (const section of sections) Object.freeze(section)
  Object.freeze(process)
}

function freezeServer(server: ServerRecord): void {
  for (const list of [server.addresses, server.core.serverAliases, server.core.wildAliases]) Object.freeze(list)
  for (const list of [server.core.directorySections, server.core.locationSections]) Object.freeze(list)
  Object.freeze(server.core)
  Object.freeze(server)
}

function skippedIn(section: SectionInfo): readonly SkippedBody[] {
  return section instanceof Section ? section.skippedBodies : []
}

function linesIn(section: SectionInfo): readonly ConfigNode[] {
  return section instanceof Section ? (section.lines ?? []) : []
}

function hooksInOrder(parts: LoadedParts): readonly HookView[] {
  // Core's own hooks come with the walk.
  void parts.walk
  const { lists } = parts.configuration.hooks
  const names = Object.keys(lists) as HookName[]
  return names.map((name) => ({ name, functions: lists[name].entriesInOrder() }))
}

function hintsOf(configuration: ServerConfiguration): readonly string[] {
  const workers = workerCountHint(configuration.process, availableParallelism())
  return [
    ...(workers === undefined ? [] : [workers]),
    ...configuration.typographicQuotes.map((place) => `${place}: typographic quotes are part of the word: write " instead`),
    ...plainHttpsHints(configuration),
    ...programSourceHints(configuration),
    ...moduleHints(configuration),
  ]
}

async function testConfig({ configuration, options }: LoadedParts, print: (line: string) => void): Promise<void> {
  const context = startContext(configuration, options, { print })
  const failure = await runVoidStartHook('testConfig', configuration.hooks.lists.testConfig.sorted(), context)
  if (failure !== undefined) throw startError(options.configFile, failure)
}

/** What a module declares; other words, which only a forged file can have, are left out. */
function knownCapabilities({ capabilities = [] }: AnyModule): readonly ModuleCapability[] {
  return MODULE_CAPABILITIES.filter((name) => capabilities.includes(name))
}
