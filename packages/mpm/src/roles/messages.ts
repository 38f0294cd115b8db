import type { LogLevelName, ServerStatus, WorkerStatus } from '@gatewright/api'
import type { Plan, RecordedSource } from '@gatewright/core'
import type { SocketInventory } from '../sockets/socket-inventory.ts'
import type { ConfigReport } from '../start/config-report.ts'
import type { StartOptions } from '../start/start-options.ts'
import type { LogSettings } from '../supervisor/log-settings.ts'
import type { RoleStreams } from './role-spawn.ts'

/** What the reader makes of a configuration. */
export type ReadResult =
  | {
      readonly good: true
      readonly plan: Plan
      readonly log: LogSettings
      readonly record: RecordedSource
      readonly reports: readonly ConfigReport[]
      /** What an operator may not expect of the configuration. */
      readonly hints: readonly string[]
      /** The product and its version in full, whatever ServerTokens says. */
      readonly product: string
    }
  | { readonly good: false; readonly lines: readonly string[]; readonly reports: readonly ConfigReport[] }

/** Supervisor to reader. */
export interface ReadOrder {
  readonly type: 'read'
  readonly start: StartOptions
}

/** Reader to supervisor. `loading` is sent before a module's file is executed, because what it does then cannot be known. */
export type FromReader =
  | { readonly type: 'loading'; readonly file: string }
  | { readonly type: 'result'; readonly result: ReadResult }

/** A worker's task. */
export interface Assignment {
  readonly start: StartOptions
  readonly record: RecordedSource
  readonly slot: number
  readonly generation: number
  /** Number of sockets, from FIRST_SOCKET on. */
  readonly sockets: number
  /** Log targets whose descriptors are those behind the sockets: pipes to log programs, and the server's standard error. */
  readonly logTargets: readonly string[]
  /** Whether people watch: error log lines are shown on standard error, too. */
  readonly showOnConsole: boolean
  /** For the status pages. */
  readonly built: string
  /** What the workers derive their secrets from, in Base64. It goes over this channel and nowhere else. */
  readonly secretKey: string
}

/** What all workers together have to say to one that asked, and what only the supervisor knows. */
export type Statuses = Pick<ServerStatus, 'startedAt' | 'load' | 'workers' | 'former' | 'reloads' | 'workerDeaths'> & {
  readonly generation: number
}

/** Supervisor to worker. */
export type ToWorker =
  | { readonly type: 'load'; readonly assignment: Assignment }
  /** It may open its logs. Another worker of the same configuration has opened them, unless this is the first. */
  | { readonly type: 'openLogs' }
  | { readonly type: 'listen' }
  /** Milliseconds after which the rest is ended, too. */
  | { readonly type: 'drain'; readonly limit: number }
  | { readonly type: 'stop' }
  | { readonly type: 'tellStatus'; readonly id: number }
  | { readonly type: 'statuses'; readonly id: number; readonly statuses: Statuses }

/** Worker to supervisor. */
export type FromWorker =
  | { readonly type: 'loading'; readonly file: string }
  /** The configuration is bound; it waits until it may open its logs. */
  | { readonly type: 'prepared' }
  | { readonly type: 'logsOpen' }
  /** Everything that can fail is done, nothing is accepted yet. */
  | { readonly type: 'loaded' }
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly lines: readonly string[] }
  | { readonly type: 'listenFailed'; readonly socket: number; readonly errno: number }
  /** A sign of life, with its numbers (but no single requests): what is lost with a worker that dies is what it served since. */
  | { readonly type: 'beat'; readonly status: WorkerStatus }
  /** Its state is unknown after an error that nothing caught: it wants to be drained and replaced. */
  | { readonly type: 'broken' }
  /** It has accepted MaxConnectionsPerChild connections: it wants a successor, and serves until that one does. */
  | { readonly type: 'worn' }
  /** The error log takes no lines: some for people to see where the server was started. */
  | { readonly type: 'silentErrorLog'; readonly lines: readonly string[] }
  | { readonly type: 'wantStatuses'; readonly id: number }
  | { readonly type: 'status'; readonly id: number; readonly status: WorkerStatus }
  | { readonly type: 'ended'; readonly status: WorkerStatus }

/** Supervisor to the process that launched it and waits. */
export type FromSupervisor =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | { readonly type: 'serving' }
  | { readonly type: 'over'; readonly status: number }

/** Launcher, or former supervisor, to the supervisor. */
export interface SuperviseOrder {
  readonly type: 'supervise'
  readonly task: SuperviseTask
  /** Of a supervisor that is succeeded; absent: the server starts anew. */
  readonly heritage?: SuccessorState
}

/** What a supervisor leaves to its successor. */
export interface SuccessorState {
  readonly inventory: SocketInventory
  /** Number of sockets, from FIRST_SOCKET on. */
  readonly sockets: number
  /** As Assignment has it. */
  readonly secretKey: string
  /** Standard streams of the server, which are those of the successor, too. */
  readonly streams: RoleStreams
}

/** What a supervisor has to look after; plain data. */
export interface SuperviseTask {
  readonly start: StartOptions
  /** Command line with its options made uniform, for AH00094. */
  readonly commandLine: string
  readonly built: string
  /** -e: least severe level that is shown on the console while starting. */
  readonly startupLevel: LogLevelName
  /** -X: one worker, and none is ended for not answering, since a debugger may hold it. */
  readonly onlyOneWorker: boolean
}

/**
 * A message of ours, undefined for anything else: code of modules can send on the channel, too. Only the type is looked at; both ends are the same
 * program.
 */
export function ownMessage<M extends { readonly type: string }>(
  value: unknown,
  types: Readonly<Record<M['type'], true>>,
): M | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
  return typeof value.type === 'string' && Object.hasOwn(types, value.type) ? (value as M) : undefined
}
