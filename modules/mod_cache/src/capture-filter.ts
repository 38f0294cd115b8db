import { FILTER_RANK, type FilteredBody, type OutputFilter, type Request, type Slot } from '@gatewright/api'
import type { Pending } from './pending.ts'
import { StoredStream } from './stored-stream.ts'

/** CACHE_SAVE: notes the body that is to be stored. Its head is complete only later, when modules have changed its fields. */
export class CaptureFilter implements OutputFilter {
  readonly name = 'CACHE_SAVE'
  /** Just after the filters that change the form of the whole body. */
  readonly rank: number = FILTER_RANK.contentSet + 1
  readonly #pending: Slot<Request, Pending>

  constructor(pending: Slot<Request, Pending>) {
    this.#pending = pending
  }

  filter(request: Request, body: FilteredBody): FilteredBody {
    const pending = this.#pending.get(request)
    if (pending === undefined || pending.isDone) return body
    const captured = body instanceof Uint8Array ? body : new StoredStream(request, body)
    pending.captured = captured
    return captured
  }
}
