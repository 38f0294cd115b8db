import { hostname } from 'node:os'
import { MethodSet, type Problem } from '@gatewright/api'
import { requestReadLimitsOf } from '@gatewright/api/peers'
import type { ServerStatus } from '@gatewright/api/status'
import type { ConfigNode } from '@gatewright/config'
import { COMMAND_LINE_FILE, ConfigError } from '../base/config-error.ts'
import { SERVER_OFFERS } from '../base/context-bits.ts'
import { systemReason } from '../base/error-text.ts'
import { bindNodes } from '../config/binder.ts'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import { createReadContext } from '../config/read-context.ts'
import { type ReadContext, readText } from '../config/reader.ts'
import { registerModule } from '../config/register.ts'
import { coreModules } from '../core-module/index.ts'
import { MergedConfig } from '../model/merged-config.ts'
import { ServerConfiguration } from '../model/server-configuration.ts'
import { mergeServerConfigs } from '../model/server-record.ts'
import { HookCycle } from '../modules/hook-registry.ts'
import { type NameService, type NameSettings, nameSettingsOf } from '../services/names/index.ts'
import { newSecretKey, Secrets } from '../services/secrets.ts'
import { ownState } from '../services/shared-state.ts'
import { bindView } from './bind-view.ts'
import type { BoundConfiguration } from './bound-configuration.ts'
import { checkConfiguration } from './check-configuration.ts'
import type { LoadOptions } from './contract.ts'
import { createServices, type Services } from './create-services.ts'
import { endConfiguration } from './end-configuration.ts'
import { offerHostFunctions } from './host-functions.ts'
import { listenedProtocol } from './listened-protocol.ts'
import { LoadedParts } from './loaded-parts.ts'
import { adjustProcessNumbers } from './process-checks.ts'
import { nameVirtualHosts } from './server-names.ts'
import { startContext } from './start-context.ts'
import { startError } from './start-error.ts'
import { runVoidStartHook } from './start-hooks.ts'

/**
 * Loads the configuration: parses texts into nodes, applies nodes to configuration objects, merges servers,
 * checks everything.
 * @throws ConfigError for the first error
 */
export async function loadConfiguration(options: LoadOptions): Promise<BoundConfiguration> {
  const configuration = new ServerConfiguration(options)
  if (options.keepLines === true) configuration.keptLines = []
  // The status covers only this process, unless the status of all processes is collected elsewhere.
  const collectStatus = (): Promise<ServerStatus> => {
    const collect = options.collectStatus ?? parts.ownStatus
    return collect === null ? Promise.reject(new Error('no request is served yet')) : collect()
  }
  const names = nameSettings(options)
  const services = createServices(configuration, {
    collectStatus,
    onSilentErrorLog: options.onSilentErrorLog ?? ignore,
    pipes: options.checkOnly ? null : (options.logPipes ?? NO_PIPES),
    names,
    secrets: new Secrets(options.secretKey ?? newSecretKey()),
    retained: options.retained ?? new Map(),
    shared: options.shared ?? ownState(),
    renewProcesses: options.renewProcesses ?? ignore,
  })
  if (options.names === undefined && names.servers !== undefined) reportNameServers(configuration, names.servers)
  offerHostFunctions(configuration, services.logs.closing)
  if (options.decorateAuthn !== undefined) configuration.providers.authn.decorate(options.decorateAuthn)
  const parts = new LoadedParts(configuration, services, options)
  try {
    await complete(configuration, services, options)
    await checkConfiguration(parts)
  } catch (error) {
    endConfiguration(parts)
    if (error instanceof HookCycle)
      throw startError(options.configFile, { message: error.message }, 'AH00014: Configuration check failed')
    throw error
  }
  return bindView(parts)
}

/** All steps up to the checks. */
async function complete(configuration: ServerConfiguration, { config, process }: Services, options: LoadOptions): Promise<void> {
  for (const module of [...coreModules(), ...options.builtIn])
    await registerModule(configuration, config, module, { builtIn: true, file: null })

  const nodes = await readAll(configuration, config, options)
  if (configuration.keptLines !== null) configuration.keptLines = nodes
  await preConfigure(configuration, options)
  bindAll(configuration, config, nodes)
  await completeServers(configuration, process.names)
  setReadLimits(configuration)
  adjustProcessNumbers(configuration.process, (code, text) => configuration.report('', 'warn', code, text))
}

/** @throws ConfigError if the environment's settings are malformed */
function nameSettings({ names, environment, program }: LoadOptions): NameSettings {
  const settings = names ?? nameSettingsOf(environment)
  if (typeof settings === 'string') throw new ConfigError('start', '', 0, `${program}: ${settings}`)
  return settings
}

/**
 * Name servers influence access by host name, so a server that does not use the system's always reports them.
 */
function reportNameServers(configuration: ServerConfiguration, servers: readonly string[]): void {
  configuration.report(
    'core',
    'notice',
    '',
    `clients' names are looked up with ${servers.join(', ')}, not with the system's name servers`,
  )
}

/** For a server with a single process. */
const NO_PIPES: ReadonlyMap<string, number> = new Map()

/** -C lines, the main file, -c lines. */
async function readAll(
  configuration: ServerConfiguration,
  services: ConfigServicesImpl,
  options: LoadOptions,
): Promise<ConfigNode[]> {
  const nodes: ConfigNode[] = []
  const context = createReadContext(configuration, services, { htaccess: null, skippedBodies: configuration.skippedBodies })
  await drive(readText(context, COMMAND_LINE_FILE, options.before.join('\n'), nodes, null, 0))
  await readFiles(context, nodes, options, configuration)
  await drive(readText(context, COMMAND_LINE_FILE, options.after.join('\n'), nodes, null, 0))
  const missing = configuration.missingModules.error()
  if (missing !== undefined) throw missing
  return nodes
}

/** @throws ConfigError about missing modules before other errors, which they may have caused */
async function readFiles(
  context: ReadContext,
  nodes: ConfigNode[],
  options: LoadOptions,
  { missingModules }: ServerConfiguration,
): Promise<void> {
  let text: string
  try {
    text = options.source.read(options.configFile)
  } catch (error) {
    throw new ConfigError(
      'read',
      options.configFile,
      0,
      `Could not open configuration file ${options.configFile}: ${systemReason(error)}`,
    )
  }
  context.included?.(options.configFile, null)
  try {
    await drive(readText(context, options.configFile, text, nodes, null, 0))
  } catch (error) {
    throw missingModules.error() ?? error
  }
}

/** Runs a reader to its end and awaits its promises. */
async function drive(reading: ReturnType<typeof readText>): Promise<void> {
  for (let step = reading.next(); step.done !== true; ) step = reading.next(step.value === null ? undefined : await step.value)
}

function bindAll(configuration: ServerConfiguration, services: ConfigServicesImpl, nodes: readonly ConfigNode[]): void {
  const { main } = configuration
  const section = main.defaults
  if (section === null) throw new Error('a configuration begins with its server section')
  const error = bindNodes(nodes, {
    configuration,
    services,
    section,
    server: main,
    offers: SERVER_OFFERS,
    limited: MethodSet.ALL,
    narrowed: false,
    grant: null,
    overrideList: null,
    bind: bindNodes,
  })
  if (error !== undefined) throw new ConfigError('walk', error.file, error.line, error.message, error.hint)
}

/** Names and merges the servers, and creates the base of every walk. */
async function completeServers(configuration: ServerConfiguration, names: NameService): Promise<void> {
  const { main, registry } = configuration
  nameMainServer(configuration)
  const defaults = main.defaults
  if (defaults === null) throw new Error('a configuration begins with its server section')
  main.core.documentRoot ??= configuration.serverRelative(configuration.standardFiles.documentRoot)
  main.base = new MergedConfig(registry, {
    slots: registry.modules.map(({ index }) => defaults.slots[index]),
    core: defaults.coreSlot(),
  })
  for (const host of configuration.virtualHosts) host.protocol = listenedProtocol(host, configuration.process.listeners)
  await nameVirtualHosts(configuration, names)
  main.methods = configuration.methods
  for (const host of configuration.virtualHosts) {
    host.methods = configuration.methods
    mergeServerConfigs(registry, main, host)
    host.base = host.defaults === null ? main.base : main.base.with(host.defaults)
  }
}

/** What a module such as mod_reqtimeout allows requests for their arrival. */
function setReadLimits({ functions, servers }: ServerConfiguration): void {
  const limitsOf = functions.get(requestReadLimitsOf)
  for (const server of servers) server.readLimits = limitsOf?.(server) ?? null
}

function nameMainServer(configuration: ServerConfiguration): void {
  const { main } = configuration
  if (main.core.serverName !== undefined) return
  const name = hostname()
  if (name.includes('.')) {
    main.core.serverName = { name, port: 0, scheme: 'http' }
    return
  }
  main.core.serverName = { name: '127.0.0.1', port: 0, scheme: 'http' }
  const text = `${configuration.options.program}: Could not reliably determine the server's fully qualified domain name, using 127.0.0.1. Set the 'ServerName' directive globally to suppress this message`
  configuration.report('', 'alert', 'AH00558', text)
}

async function preConfigure(configuration: ServerConfiguration, options: LoadOptions): Promise<void> {
  let problem: Problem | undefined
  try {
    problem = await runVoidStartHook(
      'preConfig',
      configuration.hooks.lists.preConfig.sorted(),
      startContext(configuration, options),
    )
  } catch (error) {
    if (!(error instanceof HookCycle)) throw error
    problem = { message: error.message }
  }
  if (problem !== undefined) throw startError(options.configFile, problem, 'AH00013: Pre-configuration failed')
}

function ignore(): void {}
