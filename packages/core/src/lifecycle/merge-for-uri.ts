import type { MaybePromise, Outcome } from '@gatewright/api'
import type { MergedConfig } from '../model/merged-config.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { TRANSLATED } from '../model/request-states.ts'
import type { IfMerging } from '../sections/if-merging.ts'
import { locationWalk } from '../sections/location-walk.ts'
import type { WalkMemory } from '../sections/walk-memory.ts'

/**
 * The phases that merge `<Location>` and `<If>` sections for the functions that process a URI. Folders and
 * files are not known yet.
 */
export class UriMerging {
  readonly #conditions: IfMerging
  readonly #memory: WalkMemory | null

  /** @param memory null if no condition of the configuration looks up requests */
  constructor(conditions: IfMerging, memory: WalkMemory | null) {
    this.#conditions = conditions
    this.#memory = memory
  }

  /** For the functions that process the path with its escapes. */
  readonly forEncodedUri = (request: RequestRecord): MaybePromise<Outcome> =>
    this.#conditions.merge(request, baseOf(request), rememberEncoded, this.#memory)

  /** For the functions that map the path to a file. */
  readonly forUri = (request: RequestRecord): MaybePromise<Outcome> =>
    this.#conditions.merge(request, baseOf(request), rememberTranslated, this.#memory)
}

function baseOf(request: RequestRecord): MergedConfig {
  return locationWalk(request, request.server.walkBase)
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
