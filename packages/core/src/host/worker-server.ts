import type { WorkerStatus } from '@gatewright/api'
import type { ConfigServicesImpl } from '../services/config-services.ts'
import type { WorkerServer } from './contract.ts'
import type { Serving } from './serving.ts'

/** How often a draining worker looks whether its connections have gone, in milliseconds. */
const DRAIN_TICK = 50

/**
 * A generation that serves in this process, as the process model drives it.
 * @param end called when the last request is over, and logs are still open
 */
export function createWorkerServer(serving: Serving, services: ConfigServicesImpl, end: () => void): WorkerServer {
  const closeLogs = (): void => {
    for (const run of services.closing) run()
    services.destinations.closeAll(services.errorLogs.mainDestination)
  }
  return {
    accept: (socket, local) => serving.accept(socket, local),
    displaceFor: (address) => serving.displaceFor(address),
    drain: () => {
      serving.engine.drain()
      return new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (serving.engine.connections > 0) return
          clearInterval(timer)
          resolve()
        }, DRAIN_TICK)
      })
    },
    close: async () => {
      serving.engine.close()
      serving.status.close()
      await services.passwords.close()
      // One turn, so that what the closed connections still log is in the files.
      await new Promise<void>((resolve) => setImmediate(resolve))
      end()
      closeLogs()
    },
    get connections(): number {
      return serving.engine.connections
    },
    status: (): WorkerStatus => serving.workerStatus({ slot: 0, generation: 0, stopping: serving.engine.draining }),
    flushLogs: () => services.destinations.flushAll(),
    reopenLogs: () => services.destinations.reopenAll(),
  }
}
