import type { LogLevelName, SharedStoreFigures } from '@gatewright/api'
import type { ServerStatus, WorkerStatus, WorkerTotals } from '@gatewright/api/status'
import type { Plan, RecordChange, RecordedSource } from '@gatewright/core'
import type { SocketInventory } from '../sockets/socket-inventory.ts'
import type { ConfigReport } from '../start/config-report.ts'
import type { StartOptions } from '../start/start-options.ts'
import type { LogSettings } from '../supervisor/log-settings.ts'
import type { RoleStreams } from './role-spawn.ts'

/** The result of reading a configuration. */
export type ReadResult =
  | {
      readonly good: true
      readonly plan: Plan
      readonly log: LogSettings
      readonly record: RecordedSource
      readonly reports: readonly ConfigReport[]
      /** Properties of the configuration that an operator may not expect. */
      readonly hints: readonly string[]
      /** The product and its full version, regardless of ServerTokens. */
      readonly product: string
    }
  | { readonly good: false; readonly lines: readonly string[]; readonly reports: readonly ConfigReport[] }

/** Supervisor to reader. */
export interface ReadOrder {
  readonly type: 'read'
  readonly start: StartOptions
}

/**
 * Reader to supervisor. `loading` is sent before a module's file is executed, because the file might end or
 * block the process.
 */
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
  /**
   * Log targets whose descriptors follow the sockets: pipes to log programs, and the server's standard error.
   */
  readonly logTargets: readonly string[]
  /** Whether the server runs at a terminal: error log lines are also shown on standard error. */
  readonly showOnConsole: boolean
  /** For the status pages. */
  readonly built: string
  /** The key from which workers derive their secrets, in Base64. It is transmitted over this channel only. */
  readonly secretKey: string
  readonly rotatingKeys: KeyPair
  /** Whether the person who starts the server can be asked. */
  readonly hasTerminal: boolean
  /** See SuperviseTask. */
  readonly inspectPort?: number
}

/** Keys that are replaced every day, in Base64. They are transmitted over these channels only. */
export interface KeyPair {
  readonly current: string
  readonly previous: string | null
  /** When the present key was made, in milliseconds since 1970. */
  readonly since: number
}

/**
 * The figures of all workers, for the worker that requested them, and those that only the supervisor knows.
 */
export type Statuses = Pick<ServerStatus, 'startedAt' | 'load' | 'workers' | 'former' | 'reloads' | 'workerDeaths'> & {
  readonly generation: number
}

/** What modules keep for the processes that follow, in Base64. It is transmitted over these channels only. */
export type Retained = Readonly<Record<string, string>>

/** A text for the terminal at which the server is started, or a question that a person answers there. */
export type TerminalRequest =
  | { readonly type: 'show'; readonly text: string }
  | { readonly type: 'askSecret'; readonly id: number; readonly prompt: string }

/** The answer to `askSecret`; null if there is none. It is transmitted over these channels only. */
export interface TerminalAnswer {
  readonly type: 'answer'
  readonly id: number
  readonly line: string | null
}

/** Supervisor to worker. */
export type ToWorker =
  | { readonly type: 'load'; readonly assignment: Assignment }
  /**
   * The worker may open its logs and do all that can fail. Another worker of the same configuration has done it,
   * unless this is the first.
   */
  | { readonly type: 'openLogs'; readonly retained?: Retained; readonly first?: boolean }
  | { readonly type: 'listen' }
  | { readonly type: 'rotate'; readonly keys: KeyPair }
  /** The answer to `lookUp`; null if nothing was found. */
  | { readonly type: 'found'; readonly id: number; readonly value: string | null }
  /** The answer to `askFigures`; null if nothing was ever stored. */
  | { readonly type: 'figures'; readonly id: number; readonly figures: SharedStoreFigures | null }
  /** The answer to `increment`; null if the sum is not known. */
  | { readonly type: 'sum'; readonly id: number; readonly sum: number | null }
  /** The answer to `exchange`: whether the bytes were kept. */
  | { readonly type: 'exchanged'; readonly id: number; readonly done: boolean }
  /** A worker has published bytes, in Base64, under a topic to which this one has subscribed. */
  | { readonly type: 'published'; readonly store: string; readonly topic: string; readonly bytes: string }
  | TerminalAnswer
  /** Changes of records that workers share, by other workers; sets also by this one, in the order that counts. */
  | { readonly type: 'recordChanges'; readonly changes: readonly RecordChange[] }
  /**
   * Milliseconds after which the remaining connections are closed. Another worker serves in its place, unless the server
   * stops.
   */
  | { readonly type: 'drain'; readonly limit: number; readonly isSucceeded?: boolean }
  /** With the handle of a connection that a former worker has passed on. */
  | { readonly type: 'passed'; readonly name: string; readonly label: string }
  | { readonly type: 'stop' }
  | { readonly type: 'tellStatus'; readonly id: number }
  | { readonly type: 'statuses'; readonly id: number; readonly statuses: Statuses }
  /** A command of an operator. */
  | { readonly type: 'command'; readonly id: number; readonly words: readonly string[] }

/** Worker to supervisor. */
export type FromWorker =
  | { readonly type: 'loading'; readonly file: string }
  /** The configuration is bound; it waits until it may open its logs. */
  | { readonly type: 'prepared' }
  | { readonly type: 'logsOpen' }
  /** A module keeps bytes for the workers that follow. */
  | { readonly type: 'retain'; readonly name: string; readonly bytes: string }
  /** Bytes for the stores that workers share, in Base64. Limits are in bytes, lifetimes in milliseconds. */
  | {
      readonly type: 'store'
      readonly store: string
      readonly limit: number
      readonly key: string
      readonly value: string
      readonly lifetime: number
    }
  | { readonly type: 'forget'; readonly store: string; readonly key: string }
  | { readonly type: 'lookUp'; readonly id: number; readonly store: string; readonly key: string }
  | {
      readonly type: 'increment'
      readonly id: number
      readonly store: string
      readonly limit: number
      readonly key: string
      readonly amount: number
      readonly lifetime: number
    }
  /** Keeps `value` if the key has `expected`; null for nothing. */
  | {
      readonly type: 'exchange'
      readonly id: number
      readonly store: string
      readonly limit: number
      readonly key: string
      readonly expected: string | null
      readonly value: string
      readonly lifetime: number
    }
  | { readonly type: 'publish'; readonly store: string; readonly topic: string; readonly bytes: string }
  | { readonly type: 'subscribe' | 'unsubscribe'; readonly store: string; readonly topic: string }
  | { readonly type: 'askFigures'; readonly id: number; readonly store: string }
  | { readonly type: 'shareRecords'; readonly changes: readonly RecordChange[] }
  /** With the handle of a connection for a worker that follows. */
  | { readonly type: 'pass'; readonly name: string; readonly label: string }
  | TerminalRequest
  /** It does not respond in time, because a person has to act. */
  | { readonly type: 'waitsForPerson'; readonly isWaiting: boolean }
  /** A module asks for new workers with the same configuration. */
  | { readonly type: 'renew' }
  /** Everything that can fail is done; no connections are accepted yet. */
  | { readonly type: 'loaded' }
  | { readonly type: 'ready' }
  /** A debugger can reach this worker at `url`. */
  | { readonly type: 'inspectable'; readonly url: string }
  | { readonly type: 'failed'; readonly lines: readonly string[] }
  | { readonly type: 'listenFailed'; readonly socket: number; readonly errno: number }
  /**
   * A heartbeat with the worker's figures (without individual requests): if the worker dies, only what it
   * served since is lost.
   */
  | { readonly type: 'beat'; readonly status: WorkerStatus }
  /** Its state is unknown after an uncaught error: it requests to be drained and replaced. */
  | { readonly type: 'broken' }
  /**
   * It has accepted MaxConnectionsPerChild connections: it requests a successor, and serves until the
   * successor does. The type keeps its old name, because workers and supervisor may be of different versions.
   */
  | { readonly type: 'worn' }
  /** The error log accepts no lines: these lines are to be shown where the server was started. */
  | { readonly type: 'silentErrorLog'; readonly lines: readonly string[] }
  | { readonly type: 'wantStatuses'; readonly id: number }
  | { readonly type: 'status'; readonly id: number; readonly status: WorkerStatus }
  /** The answer to a command, as JSON. */
  | { readonly type: 'commandDone'; readonly id: number; readonly answer: string }
  | { readonly type: 'ended'; readonly status: WorkerStatus }

/** Supervisor to the process that launched it and waits. */
export type FromSupervisor =
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  | TerminalRequest
  | { readonly type: 'serving' }
  | { readonly type: 'over'; readonly status: number }

/** What a server has counted since its start, for the supervisor that continues to count. */
export type ServerSums = Pick<ServerStatus, 'startedAt' | 'reloads' | 'workerDeaths'> & { readonly totals: WorkerTotals }

/**
 * Former supervisor to its successor, while former workers complete their requests: the sums again, which replace those of the
 * SuccessorState.
 */
export interface FormerSums {
  readonly type: 'formerSums'
  readonly sums: ServerSums
}

/** Launcher, or former supervisor, to the supervisor. */
export interface SuperviseOrder {
  readonly type: 'supervise'
  readonly task: SuperviseTask
  /**
   * The state of the supervisor that is replaced; absent if the server starts from scratch. The key keeps its
   * old name, because the two supervisors may be of different versions.
   */
  readonly heritage?: SuccessorState
}

/** What a supervisor passes to its successor. */
export interface SuccessorState {
  readonly inventory: SocketInventory
  /** Number of sockets, from FIRST_SOCKET on. */
  readonly sockets: number
  /** See Assignment. */
  readonly secretKey: string
  /** Absent if the former supervisor is older than these keys. */
  readonly rotatingKeys?: KeyPair
  /** Standard streams of the server, which the successor uses as well. */
  readonly streams: RoleStreams
  /** Absent if the former supervisor is older than them. */
  readonly sums?: ServerSums
}

/** What a supervisor supervises; plain data. */
export interface SuperviseTask {
  readonly start: StartOptions
  /** Command line with normalized options, for AH00094. */
  readonly commandLine: string
  readonly built: string
  /** -e: lowest severity that is shown on the console during the start. */
  readonly startupLevel: LogLevelName
  /** -X: one worker, which is never ended for not responding, because a debugger may have stopped it. */
  readonly onlyOneWorker: boolean
  /** --inspect: the port on which a debugger reaches the worker, 0 for any; absent for none. */
  readonly inspectPort?: number
}

/**
 * A message of the server itself, or undefined: code of modules can send on the channel, too. Only the type
 * is checked, because both ends are the same program.
 */
export function ownMessage<M extends { readonly type: string }>(
  value: unknown,
  types: Readonly<Record<M['type'], true>>,
): M | undefined {
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
  return typeof value.type === 'string' && Object.hasOwn(types, value.type) ? (value as M) : undefined
}
