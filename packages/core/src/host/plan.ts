import { availableParallelism } from 'node:os'
import { processOwner } from '@gatewright/api'
import { productBanner } from '../base/product.ts'
import type { ProcessConfig } from '../model/process-config.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import { isProgram, type LogProgram, logProgram } from '../services/log-program.ts'
import { isSyslog, syslogProgram } from '../services/syslog.ts'
import type { Plan } from './contract.ts'
import { workerCount } from './worker-count.ts'

/** @param programs the targets of modules' logs that are programs */
export function planOf(configuration: ServerConfiguration, programs: Iterable<string>): Plan {
  const { process } = configuration
  const owner = configuration.functions.get(processOwner)?.()
  return Object.freeze({
    listeners: Object.freeze(process.listeners.map((listener) => Object.freeze({ ...listener }))),
    listenBacklog: process.listenBacklog,
    pidFile: configuration.serverRelative(process.pidFile),
    errorLog: mainErrorLog(configuration),
    logPrograms: Object.freeze(logPrograms(configuration, programs)),
    user: owner?.user ?? null,
    group: owner?.group ?? null,
    workers: workerCount(process, availableParallelism()),
    maxConnectionsPerChild: process.maxConnectionsPerChild,
    maxRequestWorkers: greatestRequests(process),
    gracefulShutdownTimeout: process.gracefulShutdownTimeout,
    timeout: configuration.main.timeout,
    serverBanner: productBanner('full'),
    takesCommands: configuration.providers.serverCommands.names().length > 0,
  })
}

/** The target of the main server's error log. */
export function mainErrorLog(configuration: ServerConfiguration): string {
  return configuration.main.core.errorLog ?? configuration.serverRelative(configuration.standardFiles.errorLog)
}

/** The error log targets that lines of the configuration name. */
export function errorLogTargets({ servers }: ServerConfiguration): string[] {
  return servers.flatMap(({ core }) => core.errorLog ?? [])
}

/** The number of requests that httpd would process at a time. */
export function greatestRequests({ maxRequestWorkers, serverLimit, threadsPerChild }: ProcessConfig): number {
  return maxRequestWorkers ?? serverLimit * threadsPerChild
}

function logPrograms(configuration: ServerConfiguration, programs: Iterable<string>): LogProgram[] {
  const errorLogs = errorLogTargets(configuration).filter((target) => isProgram(target) || isSyslog(target))
  const targets = new Set([...errorLogs, ...programs])
  return [...targets].map((target) =>
    isSyslog(target) ? syslogProgram(target, configuration.options.program) : logProgram(target),
  )
}
