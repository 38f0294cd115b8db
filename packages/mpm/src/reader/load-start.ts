import type { AnyModule, RetainedData, StartTerminal } from '@gatewright/api'
import type { ServerStatus } from '@gatewright/api/status'
import { type BoundConfiguration, ConfigError, type ConfigSource, loadConfiguration, type SharedState } from '@gatewright/core'
import type { ConfigReport } from '../start/config-report.ts'
import { groupExists, ownerOf, userExists } from '../start/credentials.ts'
import type { StartOptions } from '../start/start-options.ts'

/** The options for reading a start, in addition to its command line. */
export interface LoadContext {
  readonly source: ConfigSource
  /** Modules that are compiled in, in addition to core. */
  readonly compiledIn: readonly AnyModule[]
  readonly report: (report: ConfigReport) => void
  /** `check` opens nothing for serving. */
  readonly purpose: 'check' | 'serve'
  readonly collectStatus?: () => Promise<ServerStatus>
  readonly onSilentErrorLog?: (lines: readonly string[]) => void
  /** Descriptors of the pipes to log programs, by target. */
  readonly logPipes?: ReadonlyMap<string, number>
  /** The key of the server's workers; absent if none is needed. */
  readonly secretKey?: Uint8Array
  /** What workers share; absent if there are none. */
  readonly shared?: SharedState
  /** What modules keep for the workers that follow; absent if there are none. */
  readonly retained?: RetainedData
  /** Where the person who starts the server is asked; absent if nobody can answer. */
  readonly terminal?: StartTerminal
  readonly onWaitingForPerson?: (isWaiting: boolean) => void
  /** Asks the supervisor for new workers; absent if there is none. */
  readonly renewProcesses?: () => void
}

/** The configuration of a start, checked, with User and Group known to exist. @throws ConfigError */
export async function loadStart(start: StartOptions, context: LoadContext): Promise<BoundConfiguration> {
  const configuration = await loadConfiguration({
    ...start,
    source: context.source,
    environment: process.env,
    report: (module, level, code, text, isOfHost = false) => context.report({ module, level, code, text, isOfHost }),
    builtIn: context.compiledIn,
    checkOnly: context.purpose === 'check',
    // Hints name lines.
    keepLines: context.purpose === 'check',
    collectStatus: context.collectStatus,
    onSilentErrorLog: context.onSilentErrorLog,
    logPipes: context.logPipes,
    secretKey: context.secretKey,
    shared: context.shared,
    retained: context.retained,
    terminal: context.terminal,
    onWaitingForPerson: context.onWaitingForPerson,
    renewProcesses: context.renewProcesses,
  })
  const { user, group } = ownerOf(configuration.plan)
  if (user !== null && !userExists(user)) throw startError(`AH00543: ${start.program}: bad user name ${user}`)
  if (group !== null && !groupExists(group)) throw startError(`AH00544: ${start.program}: bad group name ${group}`)
  return configuration
}

function startError(message: string): ConfigError {
  return new ConfigError('start', '', 0, message)
}
