import { childrenOf, isRunning } from '../fixtures/processes.ts'
import { until } from '../fixtures/until.ts'
import type { ServerUnderLoad } from './server-under-load.ts'

/** The effects of a killed worker. */
export interface WorkerKill {
  /** Requests under way on the worker's connections, and on connections whose worker is not known yet, when it was killed. */
  readonly underWay: number
  /** Processes that the supervisor has started since. */
  readonly replacedBy: readonly number[]
  /** Milliseconds from the signal to the start of the successor. */
  readonly msToSuccessor: number
  /**
   * Requests that may fail for it: those under way, and those that were sent to the worker after the signal and before its connections were seen to end,
   * for a process takes some milliseconds to die.
   */
  mayFail(): number
}

/** Kills a worker as `kill -9` does, and waits for its successor. */
export async function killUnderLoad({ load, server }: ServerUnderLoad, victim: number): Promise<WorkerKill> {
  const before = childrenOf(server.pid)
  const { known, unknown } = load.underWay(victim)
  const sentBefore = load.sentTo(victim)
  const began = performance.now()
  process.kill(victim, 'SIGKILL')
  const fresh = (): number[] => childrenOf(server.pid).filter((pid) => !before.includes(pid))
  await until('a successor is started', () => !isRunning(victim) && fresh().length > 0)
  return {
    underWay: known + unknown,
    replacedBy: fresh(),
    msToSuccessor: performance.now() - began,
    mayFail: () => known + unknown + load.sentTo(victim) - sentBefore,
  }
}
