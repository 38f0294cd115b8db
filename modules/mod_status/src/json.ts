import {
  COUNTED_METHODS,
  DURATION_BOUNDS,
  type MetricFamily,
  type MetricSample,
  type RequestStatus,
  STATUS_CLASSES,
  type WorkerStatus,
} from '@gatewright/api/status'
import { asciiJson } from '@gatewright/api/text'
import type { StatusContext } from './auto.ts'
import { scoreboard } from './scoreboard.ts'
import { requestsInWork, type Summary } from './summary.ts'

/** Whether the object includes individual requests, if extended data exists. */
type PlacesShown = 'with places' | 'without places'

/**
 * The status as one JSON object, in ASCII. Durations are in seconds, sizes in bytes, times in ISO 8601. The
 * module's manual page describes the contents.
 */
export function statusJson(
  context: StatusContext,
  places: PlacesShown = 'with places',
  added: readonly MetricFamily[] = [],
): string {
  return `${asciiJson(statusObject(context, places, added))}\n`
}

function statusObject(
  { status, summary, serverName, banner }: StatusContext,
  places: PlacesShown,
  added: readonly MetricFamily[],
): object {
  const { counters } = summary
  return {
    server: {
      name: serverName,
      version: banner,
      mpm: status.mpm,
      built: status.built,
      now: new Date(summary.now).toISOString(),
      startedAt: new Date(status.startedAt).toISOString(),
      uptime: (summary.now - status.startedAt) / 1000,
      generation: status.mpmGeneration,
      reloads: status.reloads,
      workerDeaths: status.workerDeaths,
      load: status.load,
      extendedStatus: status.extended,
    },
    requests: {
      total: summary.accesses,
      bytes: summary.bytes,
      seconds: summary.duration / 1000,
      byMethod: byMethod(counters.responses),
      byClass: byClass(counters.responses),
      durations: { bounds: DURATION_BOUNDS, counts: counters.durations },
      inWork: requestsInWork(status),
    },
    hosts: counters.hosts.map(({ name, responses, bytes }) => ({ name, byClass: byClass(responses), bytes })),
    access: { granted: counters.granted, refusals: counters.refusals },
    connections: connectionsOf(summary),
    places: { busy: summary.busy, idle: summary.idle, max: status.maxRequestWorkers, scoreboard: scoreboard(status) },
    passwords: {
      ...counters.passwords,
      waiting: status.workers.reduce((sum, { process }) => sum + process.passwordsWaiting, 0),
      computing: status.workers.reduce((sum, { process }) => sum + process.passwordsComputing, 0),
    },
    logs: { lostLines: counters.lostLogLines },
    cpu: { user: summary.cpuUser, system: summary.cpuSystem, eventLoops: counters.loopActive },
    workers: status.workers.map((worker) => workerObject(worker, status.extended && places === 'with places')),
    modules: Object.fromEntries(added.map(({ name, samples }) => [name, samples.map(sampleObject)])),
  }
}

function byMethod(responses: readonly number[]): Record<string, Record<string, number>> {
  const width = STATUS_CLASSES.length
  const rows = COUNTED_METHODS.map((method, row) => {
    const counts = STATUS_CLASSES.map((name, column) => [name, responses[row * width + column]])
    return [method, Object.fromEntries(counts)]
  })
  return Object.fromEntries(rows)
}

function byClass(responses: readonly number[]): Record<string, number> {
  const width = STATUS_CLASSES.length
  const sum = (column: number): number =>
    responses.reduce((total, count, index) => (index % width === column ? total + count : total), 0)
  return Object.fromEntries(STATUS_CLASSES.map((name, column) => [name, sum(column)]))
}

function connectionsOf({ connections, reading, writing, keepAlive, closing, counters }: Summary): object {
  return {
    accepted: counters.acceptedConnections,
    refused: counters.refusedConnections,
    displaced: counters.displacedConnections,
    open: connections,
    reading,
    working: connections - reading - writing - keepAlive - closing,
    writing,
    keepAlive,
    closing,
  }
}

function workerObject(worker: WorkerStatus, showsPlaces: boolean): object {
  const { slot, pid, generation, stopping, process } = worker
  return {
    slot,
    pid,
    generation,
    stopping,
    startedAt: new Date(process.startedAt).toISOString(),
    requests: worker.accesses,
    bytes: worker.bytes,
    inWork: worker.busy,
    connections: worker.connections,
    cpu: worker.cpuUser + worker.cpuSystem,
    residentMemory: process.residentMemory,
    heapUsed: process.heapUsed,
    loopDelay: {
      mean: process.loopDelay.mean / 1000,
      p99: process.loopDelay.p99 / 1000,
      max: process.loopDelay.max / 1000,
    },
    places: showsPlaces ? worker.requests.map(placeObject) : [],
  }
}

/** A sample of a module's metric; those of histograms have the part that they are. */
function sampleObject({ part, labels = {}, value }: MetricSample): object {
  return part === undefined ? { labels, value } : { part: part.slice(1), labels, value }
}

function placeObject(request: RequestStatus): object {
  return {
    state: request.state,
    client: request.client,
    protocol: request.protocol,
    virtualHost: request.vhost,
    requestLine: request.requestLine,
    seconds: request.duration / 1000,
    idle: request.idle / 1000,
    requests: request.slotAccesses,
    bytes: request.slotBytes,
  }
}
