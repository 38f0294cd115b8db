import { loadavg } from 'node:os'
import type { RequestStatus, ServerStatus, WorkerStatus } from '@gatewright/api'
import type { RequestRecord } from '../request/request-record.ts'

/** A place for one request in work; what it served last stays to be seen. */
interface Slot {
  busy: boolean
  client: string
  protocol: string
  vhost: string
  requestLine: string
  startedAt: number
  usedAt: number
  duration: number
  totalDuration: number
  accesses: number
  connectionAccesses: number
  bytes: number
  connectionBytes: number
}

/** Counts what one process serves, for status pages. */
export class StatusKeeper {
  private readonly slots: Slot[] = []
  private readonly free: Slot[] = []
  private readonly inWork = new Map<RequestRecord, Slot>()
  private accesses = 0
  private bytes = 0
  private duration = 0
  private readonly extended: boolean
  readonly startedAt: number = Date.now()

  constructor(extended: boolean) {
    this.extended = extended
  }

  begin(request: RequestRecord): void {
    const slot = this.free.pop() ?? this.addSlot()
    slot.busy = true
    if (this.extended) {
      slot.client = request.useragentAddress
      slot.protocol = request.protocol.toLowerCase()
      slot.requestLine = request.requestLine
      slot.startedAt = request.receivedAt
      slot.usedAt = request.receivedAt
    }
    this.inWork.set(request, slot)
  }

  end(request: RequestRecord, bytes: number, durationMs: number): void {
    this.accesses++
    this.bytes += bytes
    this.duration += durationMs
    const slot = this.inWork.get(request)
    if (slot === undefined) return
    this.inWork.delete(request)
    slot.busy = false
    slot.accesses++
    slot.bytes += bytes
    slot.duration = durationMs
    slot.totalDuration += durationMs
    slot.connectionAccesses = request.connection.keepalives
    if (this.extended) {
      slot.vhost = `${request.server.serverName}:${request.server.serverPort || request.connection.localPort}`
      slot.usedAt = Date.now()
    }
    this.free.push(slot)
  }

  get busy(): number {
    return this.inWork.size
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
      requests: this.slots.map(describe),
    }
  }

  private addSlot(): Slot {
    const slot: Slot = {
      busy: false,
      client: '',
      protocol: '',
      vhost: '',
      requestLine: '',
      startedAt: 0,
      usedAt: Date.now(),
      duration: 0,
      totalDuration: 0,
      accesses: 0,
      connectionAccesses: 0,
      bytes: 0,
      connectionBytes: 0,
    }
    this.slots.push(slot)
    return slot
  }
}

function describe(slot: Slot): RequestStatus {
  return {
    state: slot.busy ? 'W' : '_',
    client: slot.client,
    protocol: slot.protocol,
    vhost: slot.vhost,
    requestLine: slot.requestLine,
    duration: slot.duration,
    idle: Date.now() - slot.usedAt,
    connectionAccesses: slot.connectionAccesses,
    slotAccesses: slot.accesses,
    connectionBytes: slot.connectionBytes,
    slotBytes: slot.bytes,
  }
}

/** The status of a server that is this process alone. */
export function statusOfOne(worker: WorkerStatus, facts: Omit<ServerStatus, 'workers' | 'load'>): ServerStatus {
  const [one, five, fifteen] = loadavg()
  return { ...facts, load: [one, five, fifteen], workers: [worker] }
}
