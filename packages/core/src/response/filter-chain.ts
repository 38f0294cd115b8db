import {
  type FilteredBody,
  HTTP_INTERNAL_SERVER_ERROR,
  type MaybePromise,
  OK,
  type Outcome,
  type OutputFilter,
} from '@gatewright/api'
import { deadlineOf, withDeadline } from '../base/deadline.ts'
import { errorStack } from '../base/error-text.ts'
import { isFinalStatus } from '../base/final-status.ts'
import type { RequestRecord } from '../model/request-record.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { FileCache } from '../services/file-cache.ts'
import { filteredBodyOf } from './bodies/body-of.ts'

/** Runs responses through the filters that were added to them. */
export class FilterChain {
  readonly #files: FileCache
  readonly #log: CoreLog

  constructor(files: FileCache, log: CoreLog) {
    this.#files = files
    this.#log = log
  }

  /**
   * OK if the request holds a response to send, otherwise the status to respond with. Synchronous while the
   * filters are.
   */
  pass(request: RequestRecord): MaybePromise<Outcome> {
    const filters = request.outputFilters ?? []
    request.outputFilters = null
    let filter: OutputFilter | null = null
    try {
      const given = filteredBodyOf(request.body, this.#files)
      let body = given
      for (let index = 0; index < filters.length; index++) {
        filter = filters[index]
        const result = filter.filter(request, body)
        if (result instanceof Promise) return this.#passRest(request, filters, index, given, body, result)
        // OK leaves the body as it is.
        if (result === OK) continue
        if (typeof result === 'number') return this.#checked(request, filter, result)
        body = result
      }
      return settle(request, given, body)
    } catch (error) {
      return this.#failed(request, filter, error)
    }
  }

  async #passRest(
    request: RequestRecord,
    filters: readonly OutputFilter[],
    from: number,
    given: FilteredBody,
    sofar: FilteredBody,
    waiting: Promise<FilteredBody | Outcome>,
  ): Promise<Outcome> {
    const ms = deadlineOf(request)
    let index = from
    try {
      let body = sofar
      let result = await withDeadline(waiting, ms)
      for (;;) {
        if (typeof result !== 'number') body = result
        else if (result !== OK) return this.#checked(request, filters[index], result)
        index++
        if (index >= filters.length) return settle(request, given, body)
        const next = filters[index].filter(request, body)
        result = next instanceof Promise ? await withDeadline(next, ms) : next
      }
    } catch (error) {
      return this.#failed(request, filters[index] ?? null, error)
    }
  }

  /** A value that is not the status of a final response would leave the client without one. */
  #checked(request: RequestRecord, filter: OutputFilter, result: Outcome): Outcome {
    if (isFinalStatus(result)) return result
    this.#log.write(request, 'error', 'AH01579', `Invalid response status ${result} (output filter ${filter.name})`)
    return HTTP_INTERNAL_SERVER_ERROR
  }

  #failed(request: RequestRecord, filter: OutputFilter | null, error: unknown): Outcome {
    const text = errorStack(error)
    this.#log.write(request, 'crit', '', `output filter ${filter?.name ?? ''} failed: ${text}`)
    return HTTP_INTERNAL_SERVER_ERROR
  }
}

/** A body that no filter changed is sent unchanged, a file as a file. */
function settle(request: RequestRecord, given: FilteredBody, body: FilteredBody): Outcome {
  if (body !== given) request.body = body
  return OK
}
