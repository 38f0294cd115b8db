import type { Owner, StagedServer } from '../fixtures/staged-server.ts'
import type { VisitorKind } from './visitors.ts'

/** Servers that depend on a service which can go away. */
export interface Setting {
  readonly servers: readonly StagedServer[]
  readonly visitors: readonly VisitorKind[]
  /** Makes the servers remember those who are expected to be remembered. */
  prepare(): Promise<void>
  /** Ends the service. */
  end(): Promise<void>
  /** Starts it again. */
  restart(): Promise<void>
  /** Whether a server uses the service again. */
  isUsed(server: StagedServer): Promise<boolean>
}

/** A service that goes away under load. */
export interface Fault {
  readonly name: string
  /** Milliseconds for which the service is away. */
  readonly away: number
  /** Programs that are missing, by their packages; empty if it can be caused. */
  readonly missing: readonly string[]
  arrange(owner: Owner): Promise<Setting>
}
