import type { Feature } from '../probe.ts'
import type { ProbedSite } from '../probed-site.ts'

/** A server that is probed. */
export interface Contestant {
  readonly name: string
  /** Probes that need one of these are left out: the server cannot do it, so nothing is to be said of it. */
  readonly lacks: readonly Feature[]
  isInstalled(): boolean
  /** @throws what it said when it does not start */
  start(site: ProbedSite): Promise<RunningServer>
}

export interface RunningServer {
  readonly port: number
  stop(): Promise<void>
}
