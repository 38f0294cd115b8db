import { loadavg } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { RequestStatus, ServerStatus, WorkerStatus } from '@gatewright/api'
import type { RequestRecord } from '../request/request-record.ts'
import type { WorkPlace } from './work-place.ts'

/** Counts what one process serves, for status pages. */
export class StatusKeeper {
  private readonly places: WorkPlace[] = []
  private readonly free: WorkPlace[] = []
  private accesses = 0
  private bytes = 0
  private duration = 0
  private readonly extended: boolean
  readonly startedAt: number = Date.now()

  constructor(extended: boolean) {
    this.extended = extended
  }

  /** @returns the place of the request, which it keeps until `end` */
  begin(request: RequestRecord): WorkPlace {
    const place = this.free.pop() ?? this.addPlace()
    place.busy = true
    if (this.extended) {
      place.client = request.useragentAddress
      place.protocol = request.protocol
      place.requestLine = request.requestLine
      place.usedAtUs = request.receivedAtUs
    }
    return place
  }

  end(request: RequestRecord, bytes: number, durationMs: number): void {
    this.accesses++
    this.bytes += bytes
    this.duration += durationMs
    const { place } = request
    if (place === null) return
    request.place = null
    place.busy = false
    place.accesses++
    place.bytes += bytes
    place.duration = durationMs
    place.totalDuration += durationMs
    place.connectionAccesses = request.connection.keepalives
    if (this.extended) {
      place.server = request.server
      place.localPort = request.connection.localPort
      place.usedAtUs = request.endedAtUs
    }
    this.free.push(place)
  }

  get busy(): number {
    return this.places.length - this.free.length
  }

  worker(
    identity: { readonly slot: number; readonly generation: number; readonly stopping: boolean },
    connections: number,
  ): WorkerStatus {
    const { user, system } = process.cpuUsage()
    return {
      ...identity,
      pid: process.pid,
      accesses: this.accesses,
      bytes: this.bytes,
      duration: this.duration,
      cpuUser: user / 1e6,
      cpuSystem: system / 1e6,
      connections,
      busy: this.busy,
      keepAlive: Math.max(0, connections - this.busy),
      writing: 0,
      closing: 0,
      requests: this.places.map(describe),
    }
  }

  private addPlace(): WorkPlace {
    const place: WorkPlace = {
      busy: false,
      client: '',
      protocol: '',
      server: null,
      localPort: 0,
      requestLine: '',
      usedAtUs: performance.now() * 1000,
      duration: 0,
      totalDuration: 0,
      accesses: 0,
      connectionAccesses: 0,
      bytes: 0,
      connectionBytes: 0,
    }
    this.places.push(place)
    return place
  }
}

function describe(place: WorkPlace): RequestStatus {
  const { server } = place
  return {
    state: place.busy ? 'W' : '_',
    client: place.client,
    protocol: place.protocol.toLowerCase(),
    vhost: server === null ? '' : `${server.serverName}:${server.serverPort || place.localPort}`,
    requestLine: place.requestLine,
    duration: place.duration,
    idle: performance.now() - place.usedAtUs / 1000,
    connectionAccesses: place.connectionAccesses,
    slotAccesses: place.accesses,
    connectionBytes: place.connectionBytes,
    slotBytes: place.bytes,
  }
}

/** The status of a server that is this process alone. */
export function statusOfOne(worker: WorkerStatus, facts: Omit<ServerStatus, 'workers' | 'load'>): ServerStatus {
  const [one, five, fifteen] = loadavg()
  return { ...facts, load: [one, five, fifteen], workers: [worker] }
}
