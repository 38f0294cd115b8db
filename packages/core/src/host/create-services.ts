import { ConfigServicesImpl } from '../config/config-services.ts'
import { ExpressionCompiler } from '../config/expression-compiler.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { type BetweenProcesses, createHostServices } from '../services/host-services.ts'
import { Logs, type LogsOptions } from '../services/logs.ts'
import type { NameSettings } from '../services/names/index.ts'
import { ProcessServices } from '../services/process-services.ts'

/** What a configuration and its requests need of the host, by what it is for. */
export interface Services {
  readonly logs: Logs
  /** Shared by core and the modules. */
  readonly process: ProcessServices
  /** For directives, and for modules while the configuration is read. */
  readonly config: ConfigServicesImpl
}

export interface ServicesOptions extends BetweenProcesses, LogsOptions {
  readonly names: NameSettings
}

export function createServices(configuration: ServerConfiguration, options: ServicesOptions): Services {
  const logs = new Logs(configuration, options)
  const process = new ProcessServices(configuration.process, options.names, logs)
  const expressions = new ExpressionCompiler(
    configuration.process,
    configuration.providers.forConfiguration().expressionNames,
    process.accounts,
    (owner) => logs.errors.forModule({ shortName: owner.shortName, source: owner.module.source }),
  )
  const forModules = createHostServices(configuration, logs, process, expressions, options)
  return { logs, process, config: new ConfigServicesImpl(configuration, logs, expressions, forModules) }
}
