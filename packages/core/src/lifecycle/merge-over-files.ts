import { type MaybePromise, OK, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import { STORED, WALKED } from '../model/request-states.ts'
import type { IfMerging } from '../sections/if-merging.ts'
import { locationWalk } from '../sections/location-walk.ts'
import type { WalkMemory } from '../sections/walk-memory.ts'

/** The phase that merges `<Location>` sections, which override folders and files. */
export function mergeLocations(request: RequestRecord): Outcome {
  request.storedConfig = request.config
  request.walkStage = STORED
  request.config = locationWalk(request, request.config)
  return OK
}

/** The phase that merges `<If>` sections, after which a request has its complete configuration. */
export function mergeConditions(request: RequestRecord, conditions: IfMerging, memory: WalkMemory): MaybePromise<Outcome> {
  return conditions.merge(request, request.config, rememberFinal, memory)
}

function rememberFinal(request: RequestRecord): void {
  request.finalConfig = request.config
  request.finalUri = request.uri
  request.walkStage = WALKED
}
