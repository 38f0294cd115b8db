import { NO_COUNTERS, type RequestStatus, type ServerStatus, type WorkerStatus } from '@gatewright/api/status'

/** 21 November 2026, 05:48:23 UTC. */
export const STARTED_AT: number = Date.UTC(2026, 10, 21, 5, 48, 23)

export function fakeRequestStatus(changes: Partial<RequestStatus> = {}): RequestStatus {
  return {
    state: '_',
    client: '127.0.0.1',
    protocol: 'HTTP/1.1',
    vhost: '127.0.0.1:8300',
    requestLine: 'GET /manual/foo HTTP/1.1',
    duration: 0,
    totalDuration: 0,
    idle: 24_000,
    connectionAccesses: 0,
    slotAccesses: 1,
    connectionBytes: 0,
    slotBytes: 562,
    ...changes,
  }
}

export function fakeWorker(changes: Partial<WorkerStatus> = {}): WorkerStatus {
  return {
    slot: 0,
    pid: 8623,
    generation: 0,
    stopping: false,
    accesses: 0,
    bytes: 0,
    duration: 0,
    cpuUser: 0,
    cpuSystem: 0,
    counters: NO_COUNTERS,
    connections: 0,
    busy: 0,
    keepAlive: 0,
    writing: 0,
    closing: 0,
    reading: 0,
    process: {
      startedAt: STARTED_AT,
      residentMemory: 80_000_000,
      heapUsed: 20_000_000,
      loopDelay: { mean: 0.5, p99: 2, max: 8 },
      passwordsWaiting: 0,
      passwordsComputing: 0,
    },
    requests: [],
    ...changes,
  }
}

/**
 * Two workers with 25 slots each, of at most 150: the sample of the specification, one second after the
 * start.
 */
export function fakeStatus(changes: Partial<ServerStatus> = {}): ServerStatus {
  return {
    startedAt: STARTED_AT,
    configGeneration: 1,
    mpmGeneration: 0,
    mpm: 'event',
    built: '2026-11-12T08:58:41',
    maxRequestWorkers: 150,
    threadsPerWorker: 25,
    extended: true,
    load: [0.6, 0.26, 0.15],
    workers: [
      fakeWorker({ accesses: 3, bytes: 8000, duration: 1, cpuUser: 0.01 }),
      fakeWorker({
        slot: 1,
        pid: 8624,
        accesses: 4,
        bytes: 10_500,
        duration: 2,
        busy: 1,
        requests: [fakeRequestStatus({ state: 'W' })],
      }),
    ],
    former: { accesses: 0, bytes: 0, duration: 0, cpuUser: 0, cpuSystem: 0, counters: NO_COUNTERS },
    reloads: { done: 0, refused: 0 },
    workerDeaths: 0,
    ...changes,
  }
}
