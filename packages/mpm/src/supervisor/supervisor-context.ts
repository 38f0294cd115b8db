import type { RecordDestination } from '@gatewright/log'
import type { SuperviseTask } from '../roles/messages.ts'
import type { Program, RoleStreams } from '../roles/role-spawn.ts'
import type { ActivatedSocket } from '../sockets/activated-sockets.ts'
import type { ListenSockets } from '../sockets/listen-sockets.ts'
import type { HeartbeatLimits } from './heartbeat-watch.ts'
import type { ServiceManager } from './service-manager.ts'

/** Where a start tells what happens while there is no error log yet: the terminal, or the process that launched the supervisor. */
export interface StartConsole {
  out(line: string): void
  err(line: string): void
}

/** What a successor goes on with. */
export interface Inheritance {
  readonly sockets: ListenSockets
  /** As Assignment has it. */
  readonly secretKey: string
}

/** What a supervisor works with. */
export interface SupervisorContext {
  readonly task: SuperviseTask
  readonly program: Program
  readonly console: StartConsole
  /** How long workers may be silent. */
  readonly limits: HeartbeatLimits
  /** Standard streams of the server itself: of children, too, where there is no error log. */
  readonly streams: RoleStreams
  /** Shows error log lines to people at a terminal; null when nobody watches. */
  readonly watcher: RecordDestination | null
  /** Sockets that the server was started with. */
  readonly activated: readonly ActivatedSocket[]
  readonly manager: ServiceManager
  /** What a former supervisor has left; null for a server that starts anew. */
  readonly inheritance: Inheritance | null
  /** Whether the server may go on without this process: whoever waits for it is told of another, or nobody waits. */
  readonly isReplaceable: boolean
  /** Called once, when all workers accept connections. */
  readonly onServing: () => void
}
