import type { RequestRecord } from './request-record.ts'
import type { ServerRecord } from './server-record.ts'

/** What the slots of one process share. */
export interface PlacePool {
  /** Slots without a request. */
  readonly free: WorkPlace[]
  /** True if slots show details of their requests (ExtendedStatus). */
  readonly isExtended: boolean
}

/**
 * A slot for one active request, as status pages show it; the last request remains visible. Times are
 * microseconds of the process's monotonic clock.
 */
export class WorkPlace {
  busy = false
  client = ''
  protocol = ''
  server: ServerRecord | null = null
  /** The port on which the connection arrived. */
  localPort = 0
  requestLine = ''
  usedAtUs: number
  /** Of the last request, in milliseconds. */
  duration = 0
  totalDuration = 0
  accesses = 0
  connectionAccesses = 0
  bytes = 0
  connectionBytes = 0
  readonly #pool: PlacePool

  constructor(pool: PlacePool, nowUs: number) {
    this.#pool = pool
    this.usedAtUs = nowUs
  }

  /** The request has ended: the slot is free for another one. @param bytes of the response's body */
  release({ answer, connection, server, useragentAddress }: RequestRecord, bytes: number, durationMs: number): void {
    this.busy = false
    this.accesses++
    this.bytes += bytes
    this.duration = durationMs
    this.totalDuration += durationMs
    this.connectionAccesses = connection.keepalives
    this.connectionBytes = connection.bytes
    if (this.#pool.isExtended) {
      this.client = useragentAddress
      this.server = server
      this.localPort = connection.localPort
      this.usedAtUs = answer.endedAtUs
    }
    this.#pool.free.push(this)
  }
}
