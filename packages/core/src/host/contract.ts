import type net from 'node:net'
import type { AnyModule, AuthnProvider, RetainedData, StartTerminal } from '@gatewright/api'
import type { ServerStatus, WorkerStatus } from '@gatewright/api/status'
import type { DecisionTracer } from '@gatewright/api/tracing'
import type { Displaced, Exchange, LocalAddress, Transport } from '@gatewright/http'
import type { Listener } from '../model/process-config.ts'
import type { ServerConfigurationOptions } from '../model/server-configuration.ts'
import type { LogProgram } from '../services/log-program.ts'
import type { NameSettings } from '../services/names/index.ts'
import type { SharedState } from '../services/shared-state.ts'
import type { LoopClock } from '../work/turn-queue.ts'

/** The options of a server start. */
export interface LoadOptions extends ServerConfigurationOptions {
  /** -C and -c lines. */
  readonly before: readonly string[]
  readonly after: readonly string[]
  /** Compiled-in modules other than core's own. */
  readonly builtIn: readonly AnyModule[]
  /** For -t and the reader: checks everything and opens nothing for serving. */
  readonly checkOnly: boolean
  /** Wraps each authentication provider for explanations; absent if requests are served. */
  readonly decorateAuthn?: (provider: AuthnProvider) => AuthnProvider
  /** Collects the figures of all workers for status pages; absent: this process alone. */
  readonly collectStatus?: () => Promise<ServerStatus>
  /** Called if the error log itself cannot be written, with messages for where the server was started. */
  readonly onSilentErrorLog?: (lines: readonly string[]) => void
  /** Descriptors of the pipes to the plan's log programs, by target; absent if none run. */
  readonly logPipes?: ReadonlyMap<string, number>
  /** The key from which the server's processes derive their secrets; absent: this process creates its own. */
  readonly secretKey?: Uint8Array
  /** What the server's processes share; absent: this process shares nothing. */
  readonly shared?: SharedState
  /** What modules keep for the processes that follow; absent: for this process alone. */
  readonly retained?: RetainedData
  /** Where the person who starts the server is asked; absent if nobody can answer. */
  readonly terminal?: StartTerminal
  /** Called when the start begins to wait for a person, and when it ends. */
  readonly onWaitingForPerson?: (isWaiting: boolean) => void
  /** Replaces the processes of the server by others with the same configuration; absent if there are none. */
  readonly renewProcesses?: () => void
  /** File system entries that questions about a configuration assume; absent if requests are served. */
  readonly assumed?: AssumedFiles
  /**
   * Keeps the lines that were read with their results, for questions about a configuration; absent if
   * requests are served.
   */
  readonly keepLines?: boolean
  /** Whether the folders of error logs must exist; true if absent. Tools that answer questions open no log. */
  readonly needsLogFolders?: boolean
  /** The clock and the turns of long computations; absent: those of the event loop. */
  readonly loopClock?: LoopClock
  /** The servers for name lookups; absent: those in the environment, otherwise the system's. */
  readonly names?: NameSettings
}

/** Assumed entries of the file system. Paths are absolute, without trailing slash. */
export interface AssumedFiles {
  /** Folders that are treated as existing. */
  readonly folders: ReadonlySet<string>
  /** Assumed content of .htaccess files, which need not exist; one character for each byte. */
  readonly accessFiles: ReadonlyMap<string, string>
}

/** The part of a configuration that the supervisor needs, which never reads it. Plain data. */
export interface Plan {
  readonly listeners: readonly Listener[]
  readonly listenBacklog: number
  /** Absolute path. */
  readonly pidFile: string
  /** As in the ErrorLog directive; files are absolute. */
  readonly errorLog: string
  /** Programs that receive the lines of error logs and of modules' logs, each once. */
  readonly logPrograms: readonly LogProgram[]
  /** Null if it is not set. */
  readonly user: string | null
  readonly group: string | null
  /** Number of worker processes, derived from the directives of the process model. */
  readonly workers: number
  /** Connections after which a worker is replaced; 0 for never. */
  readonly maxConnectionsPerChild: number
  /** Maximum number of concurrent requests in all workers together; not enforced. */
  readonly maxRequestWorkers: number
  readonly gracefulShutdownTimeout: number
  readonly timeout: number
  readonly serverBanner: string
  /** Whether modules have commands for operators: the supervisor then listens for these. */
  readonly takesCommands: boolean
}

/** A configuration that serves in this process. */
export interface WorkerServer {
  /**
   * Takes over an accepted connection, whose acceptor has set allowHalfOpen and noDelay.
   * @param local the address to which the client connected, null if the acceptor accepts connections to any
   *   address
   */
  accept(socket: net.Socket, local: LocalAddress | null): void
  /**
   * Closes an idle connection of the client that holds the most connections, to make room for a new one.
   * @param address of the new connection, which must be rejected if this returns null
   */
  displaceFor(address: string): Displaced | null
  /**
   * Serves a connection that a tool or a test keeps in memory.
   * @param tracer receives every decision; responses then have no body
   */
  inject(transport: Transport, tracer: DecisionTracer | null): void
  /**
   * Serves a socket that a tool keeps in memory, as one that was accepted: layers of modules take it.
   * @param tracer receives every decision; responses then have no body
   */
  simulate(socket: net.Socket, tracer: DecisionTracer): void
  /**
   * Serves a request that did not come through the engine: from another protocol, or from a test. Its caller
   * keeps the connection, and counts and closes it.
   */
  serve(exchange: Exchange): void
  /**
   * No new connections will arrive: completes pending responses, and lets idle connections end by their
   * timeouts. Resolves when no connection is left.
   */
  drain(): Promise<void>
  /** Ends everything immediately; all log lines are written. */
  close(): Promise<void>
  readonly connections: number
  status(): WorkerStatus
  flushLogs(): void
  reopenLogs(): void
}
