import { FILTER_RANK, type FilteredBody, type OutputFilter, type Request, type Slot } from '@gatewright/api'
import { bytesOfBody } from './file-bytes.ts'
import { type Pending, restoreConditions } from './pending.ts'
import { discardBody, type ResponseKeeper } from './response-keeper.ts'
import { StoredStream } from './stored-stream.ts'

/** CACHE: where lines place it among other filters, it stores responses as they arrive there, for the normal handler. */
export class PlacedFilter implements OutputFilter {
  readonly name = 'CACHE'
  readonly rank: number = FILTER_RANK.resource
  readonly #pending: Slot<Request, Pending>
  readonly #hasPlace: Slot<Request, boolean>
  readonly #keeper: ResponseKeeper

  /** @param hasPlace notes the requests to which lines added the filter */
  constructor(pending: Slot<Request, Pending>, hasPlace: Slot<Request, boolean>, keeper: ResponseKeeper) {
    this.#pending = pending
    this.#hasPlace = hasPlace
    this.#keeper = keeper
  }

  prepare(request: Request): void {
    this.#hasPlace.set(request, true)
  }

  async filter(request: Request, body: FilteredBody): Promise<FilteredBody> {
    const pending = this.#pending.get(request)
    if (pending === undefined || pending.isDone || pending.kind !== 'placed') return body
    pending.isDone = true
    restoreConditions(request, pending)
    const revived = await this.#keeper.revive(request, pending)
    if (revived !== null) {
      discardBody(body)
      return bytesOfBody(revived)
    }
    const captured = body instanceof Uint8Array ? body : new StoredStream(request, body)
    await this.#keeper.store(request, pending, captured)
    return captured
  }
}
