import type { Test } from 'tap'
import type { StagedServer } from '../fixtures/staged-server.ts'

/** How a module that is loaded from its built file shows its effect. */
export interface Trial {
  /** A directive that only this module has; without its LoadModule line it is unknown. */
  readonly directive?: string
  /** A line that is refused without the module in other words, and those words. */
  readonly missed?: readonly [string, RegExp]
  /** Lines of the server's configuration that show the module's effect. */
  readonly config: readonly string[]
  readonly shows: (t: Test, server: StagedServer) => Promise<void>
}
