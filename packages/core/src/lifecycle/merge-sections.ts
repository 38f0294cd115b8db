import { HTTP_INTERNAL_SERVER_ERROR, isRequestTooExpensive, type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { MergedConfig } from '../model/merged-config.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { MAPPING, NOT_WALKED, STORED, TRANSLATED, WALKED } from '../model/request-states.ts'
import { type IfFailure, ifWalk, isIfFailure } from '../sections/if-walk.ts'
import { locationWalk } from '../sections/location-walk.ts'
import type { WalkMemory } from '../sections/walk-memory.ts'
import type { CoreLog } from '../services/error-log.ts'
import { tooExpensive } from './too-expensive.ts'

/** Records the result of a walk in the request, for the requests that follow it. */
type Remember = (request: RequestRecord) => void

/**
 * The phases that determine a request's configuration: `<Location>` and `<If>` sections here, folders and
 * files in map-to-storage.ts.
 */
export class SectionMerging {
  readonly #memory: WalkMemory
  readonly #conditionsLookUp: boolean
  readonly #log: CoreLog

  /** @param conditionsLookUp true when conditions of the configuration look up requests */
  constructor(memory: WalkMemory, conditionsLookUp: boolean, log: CoreLog) {
    this.#memory = memory
    this.#conditionsLookUp = conditionsLookUp
    this.#log = log
  }

  /** For the functions that process the path with its escapes. */
  readonly forEncodedUri = (request: RequestRecord): MaybePromise<Outcome> => this.#mergeUri(request, rememberEncoded)

  /** For the functions that map the path to a file. */
  readonly forUri = (request: RequestRecord): MaybePromise<Outcome> => this.#mergeUri(request, rememberTranslated)

  /**
   * Folders and files are merged over the server's defaults: the configuration merged for the URI served only
   * its translation.
   */
  readonly forgetUri = (request: RequestRecord): Outcome => {
    request.config = request.server.walkBase
    request.walkStage = MAPPING
    return OK
  }

  /** `<Location>` sections override folders and files. */
  readonly mergeLocations = (request: RequestRecord): Outcome => {
    request.storedConfig = request.config
    request.walkStage = STORED
    request.config = locationWalk(request, request.config)
    return OK
  }

  /** `<If>` sections override everything else. */
  readonly mergeConditions = (request: RequestRecord): MaybePromise<Outcome> =>
    this.#mergeIf(request, request.config, rememberFinal, this.#memory)

  #mergeUri(request: RequestRecord, remember: Remember): MaybePromise<Outcome> {
    const base = locationWalk(request, request.server.walkBase)
    return this.#mergeIf(request, base, remember, this.#conditionsLookUp ? this.#memory : null)
  }

  #mergeIf(request: RequestRecord, base: MergedConfig, remember: Remember, memory: WalkMemory | null): MaybePromise<Outcome> {
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

function rememberEncoded(request: RequestRecord): void {
  request.encodedUri = request.uri
  request.encodedConfig = request.config
}

function rememberTranslated(request: RequestRecord): void {
  request.translatedUri = request.uri
  request.translatedConfig = request.config
  request.walkStage = TRANSLATED
}

function rememberFinal(request: RequestRecord): void {
  request.finalConfig = request.config
  request.finalUri = request.uri
  request.walkStage = WALKED
}
