import type { StartTerminal } from '@gatewright/api'
import type { RecordDestination } from '@gatewright/log'
import type { KeyPair, ServerSums, SuperviseTask } from '../roles/messages.ts'
import type { Program, RoleStreams } from '../roles/role-spawn.ts'
import type { ActivatedSocket } from '../sockets/activated-sockets.ts'
import type { ListenSockets } from '../sockets/listen-sockets.ts'
import type { HeartbeatLimits } from './heartbeat-watch.ts'
import type { ServiceManager } from './service-manager.ts'

/**
 * The destination of start-up messages before there is an error log: the terminal, or the process that
 * launched the supervisor.
 */
export interface StartConsole {
  out(line: string): void
  err(line: string): void
  /** Where a person can be asked; null if nobody can answer (any more). */
  readonly terminal: StartTerminal | null
}

/** What a successor takes over. */
export interface Inheritance {
  readonly sockets: ListenSockets
  /** See Assignment. */
  readonly secretKey: string
  /** See SuccessorState. */
  readonly rotatingKeys?: KeyPair
  /** See SuccessorState. */
  readonly sums?: ServerSums
}

/** The environment of a supervisor. */
export interface SupervisorContext {
  readonly task: SuperviseTask
  readonly program: Program
  readonly console: StartConsole
  /** How long workers may be silent. */
  readonly limits: HeartbeatLimits
  /** Standard streams of the server itself, and of its children if there is no error log. */
  readonly streams: RoleStreams
  /** Shows error log lines to people at a terminal; null without a terminal. */
  readonly watcher: RecordDestination | null
  /** Sockets with which the server was started. */
  readonly activated: readonly ActivatedSocket[]
  readonly manager: ServiceManager
  /** The state of a former supervisor; null for a server that starts from scratch. */
  readonly inheritance: Inheritance | null
  /**
   * Whether the server can continue without this process: its parent is notified of another process, or no
   * process waits for it.
   */
  readonly isReplaceable: boolean
  /** Whether the server stays in the foreground, with the standard streams of its caller. */
  readonly isAttached: boolean
  /** Called once, when all workers accept connections. */
  readonly onServing: () => void
}
