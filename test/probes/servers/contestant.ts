import type { Feature } from '../probe.ts'
import type { ProbedSite } from '../probed-site.ts'

/** A server that is probed. */
export interface Contestant {
  readonly name: string
  /** Features that the server does not support; probes that need them are omitted. */
  readonly lacks: readonly Feature[]
  isInstalled(): boolean
  /** @throws its output if it does not start */
  start(site: ProbedSite): Promise<RunningServer>
}

export interface RunningServer {
  readonly port: number
  stop(): Promise<void>
}
