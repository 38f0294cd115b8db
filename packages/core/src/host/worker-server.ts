import type { WorkerStatus } from '@gatewright/api/status'
import type { WorkerServer } from './contract.ts'
import type { Services } from './create-services.ts'
import type { HttpHost } from './http-host.ts'

/** Interval at which a draining worker checks whether its connections have ended, in milliseconds. */
const DRAIN_TICK = 50

/**
 * A configuration that serves in this process, for the process model.
 * @param end called when the last request has ended and logs are still open
 */
export function createWorkerServer(host: HttpHost, services: Services, end: () => void): WorkerServer {
  return {
    accept: (socket, local) => host.accept(socket, local),
    displaceFor: (address) => host.displaceFor(address),
    inject: (transport, tracer) => host.inject(transport, tracer),
    simulate: (socket, tracer) => host.simulate(socket, tracer),
    serve: (exchange) => host.serve(exchange),
    drain: () => {
      host.engine.drain()
      return new Promise<void>((resolve) => {
        const timer = setInterval(() => {
          if (host.engine.connections > 0) return
          clearInterval(timer)
          resolve()
        }, DRAIN_TICK)
      })
    },
    close: async () => {
      host.engine.close()
      host.status.close()
      await services.process.passwords.close()
      // One turn, so that the log lines of the closed connections are written to the files.
      await new Promise<void>((resolve) => setImmediate(resolve))
      end()
      services.logs.close()
    },
    get connections(): number {
      return host.engine.connections
    },
    status: (): WorkerStatus => host.workerStatus({ slot: 0, generation: 0, stopping: host.engine.draining }),
    flushLogs: () => services.logs.destinations.flushAll(),
    reopenLogs: () => services.logs.destinations.reopenAll(),
  }
}
