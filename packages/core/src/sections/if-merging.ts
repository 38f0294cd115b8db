import { HTTP_INTERNAL_SERVER_ERROR, isRequestTooExpensive, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { MergedConfig } from '../model/merged-config.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { NOT_WALKED } from '../model/request-states.ts'
import type { CoreLog } from '../services/error-log.ts'
import { tooExpensive } from '../services/too-expensive.ts'
import { type IfFailure, ifWalk, isIfFailure } from './if-walk.ts'
import type { WalkMemory } from './walk-memory.ts'

/** Records the result of a walk in the request, for the requests that follow it. */
export type Remember = (request: RequestRecord) => void

/**
 * Gives a request the configuration that `<If>` sections make of another one. These sections override all
 * others.
 */
export class IfMerging {
  readonly #memory: WalkMemory
  readonly #log: CoreLog

  constructor(memory: WalkMemory, log: CoreLog) {
    this.#memory = memory
    this.#log = log
  }

  /** @param memory as for `ifWalk` */
  merge(request: RequestRecord, base: MergedConfig, remember: Remember, memory: WalkMemory | null): MaybePromise<Outcome> {
    const merged = ifWalk(request, base, memory)
    if (!(merged instanceof Promise)) return this.#take(request, merged, remember)
    return merged.then(
      (settled) => this.#take(request, settled, remember),
      (error: unknown) => this.#failed(request, error),
    )
  }

  #take(request: RequestRecord, merged: MergedConfig | IfFailure, remember: Remember): Outcome {
    if (isIfFailure(merged)) {
      this.#log.write(request, 'error', 'AH00039', `Failed to evaluate <If > condition: ${merged.reason}`)
      return HTTP_INTERNAL_SERVER_ERROR
    }
    request.config = merged
    remember(request)
    // The configuration that httpd caches from the previous request may lack `<If>` sections nested in other
    // sections.
    const followsAnother = request.prev !== null || request.main !== null
    if (followsAnother && request.walkStage !== NOT_WALKED) request.config = this.#memory.configOf(request)
    return OK
  }

  #failed(request: RequestRecord, error: unknown): Outcome {
    if (isRequestTooExpensive(error)) return tooExpensive(this.#log, request, error)
    throw error
  }
}
