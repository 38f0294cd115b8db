import { performance } from 'node:perf_hooks'
import type { RequestStatus } from '@gatewright/api/status'
import type { RequestRecord } from '../model/request-record.ts'
import { type PlacePool, WorkPlace } from '../model/work-place.ts'

/** The slots in which status pages show the requests of one process. */
export class WorkPlaces {
  readonly #all: WorkPlace[] = []
  readonly #pool: PlacePool

  /** @param isExtended true if slots show details of their requests (ExtendedStatus) */
  constructor(isExtended: boolean) {
    this.#pool = { free: [], isExtended }
  }

  /** The number of active requests. */
  get busy(): number {
    return this.#all.length - this.#pool.free.length
  }

  /** Gives a request a slot, which the request releases when it has ended. */
  take(request: RequestRecord): WorkPlace {
    const place = this.#pool.free.pop() ?? this.#add()
    place.busy = true
    if (this.#pool.isExtended) {
      place.client = request.useragentAddress
      place.protocol = request.protocol
      place.requestLine = request.requestLine
      place.usedAtUs = request.receivedAtUs
    }
    return place
  }

  describe(): readonly RequestStatus[] {
    return this.#all.map(describe)
  }

  #add(): WorkPlace {
    const place = new WorkPlace(this.#pool, performance.now() * 1000)
    this.#all.push(place)
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
    totalDuration: place.totalDuration,
    idle: performance.now() - place.usedAtUs / 1000,
    connectionAccesses: place.connectionAccesses,
    slotAccesses: place.accesses,
    connectionBytes: place.connectionBytes,
    slotBytes: place.bytes,
  }
}
