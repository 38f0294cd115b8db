import { DECLINED, DONE, type MaybePromise, OK, type OptionalFunctions, type Outcome } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import type { WalkMemory } from '../sections/walk-memory.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { StatusKeeper } from '../status/status-keeper.ts'
import { accessPhases } from './access.ts'
import { type ChallengeHook, challengePhase } from './challenge.ts'
import { chooseServer } from './choose-server.ts'
import type { DefaultHandlerContext } from './default-handler.ts'
import { type DeliveryParts, deliveryPhases } from './deliver.ts'
import { type CleanupFailed, finishPhases } from './finish.ts'
import { handlerPhases } from './handle.ts'
import type { HookRunners } from './hook-runners.ts'
import { SectionMerging } from './merge-sections.ts'
import { notDeclined, type Phase, phase, type Verdict } from './phase.ts'
import { decodeUri, normaliseUri, refuseForProxy } from './uri.ts'

/**
 * Looks up the client's name if the request's configuration requires it. Returns a promise only if a name
 * server must be queried.
 */
export type ClientLookup = (request: RequestRecord) => void | Promise<void>

/** What the phases depend on. */
export interface LifecycleParts {
  readonly hooks: HookRunners
  readonly functions: OptionalFunctions
  readonly challenge: ChallengeHook
  readonly lookUpClient: ClientLookup
  /**
   * What requests remember of the walks of earlier requests, and what they would remember if every decision
   * depended on the configuration alone.
   */
  readonly memory: WalkMemory
  readonly memoryWithout: WalkMemory
  /** Source names of the modules whose access function may base its decision on the request. */
  readonly decidingByRequest: readonly string[]
  /** True if conditions of the configuration look up requests. */
  readonly conditionsLookUp: boolean
  readonly files: DefaultHandlerContext
  readonly delivery: DeliveryParts
  readonly status: StatusKeeper
  readonly cleanupFailed: CleanupFailed
  readonly log: CoreLog
}

/** The life of a request: five lists of phases. request-life.ts runs a request through them. */
export interface Lifecycle {
  /** From the parsed request to its configuration and to the decision whether it may be served. */
  readonly prepare: readonly Phase[]
  /** Generates a response. */
  readonly handle: readonly Phase[]
  /** The phases that a failed request passes before its page or ErrorDocument is chosen. */
  readonly fail: readonly Phase[]
  /** From a response or an error page to the first byte sent. */
  readonly deliver: readonly Phase[]
  /** After the last byte was sent. */
  readonly finish: readonly Phase[]
}

/** The names of the rows at which internal requests enter `prepare`. */
export const ENTRIES = { redirect: 'postReadRequest', uri: 'normaliseUri', file: 'forgetUriSections' } as const

/**
 * The table of phases, top to bottom in the order of a request's life. `hooks` makes a row from a hook of
 * modules; `phase` makes a row from the server's own work. A row states when it is skipped (`when`) and what
 * its outcome means (`verdict`); no row knows the next one.
 */
export function createLifecycle(parts: LifecycleParts): Lifecycle {
  const { hooks, log } = parts
  const sections = new SectionMerging(parts.memory, parts.conditionsLookUp, log)
  // httpd always merges before it decodes. If the path has no escapes, the next row finds the same sections;
  // only functions and conditions that look at requests can detect the second merge.
  const alwaysMerges = !hooks.isEmpty('preTranslateName') || parts.conditionsLookUp
  const clientName = phase('clientName', (request) => lookUp(request, parts.lookUpClient))
  return {
    prepare: [
      // A client's request enters here.
      phase('chooseServer', chooseServer(log)),
      clientName,
      // An internal redirect and the ErrorDocument of an error enter here.
      hooks.phase('postReadRequest'),
      phase('refuseForProxy', refuseForProxy),
      // A sub-request for a URI enters here.
      phase('normaliseUri', (request) => normaliseUri(request, log)),
      phase('mergeEncodedUri', sections.forEncodedUri, { when: ({ uri }) => alwaysMerges || uri.includes('%') }),
      hooks.phase('preTranslateName', { verdict: mayStayEncoded }),
      phase('decodeUri', (request) => decodeUri(request, log), { when: isToBeDecoded }),
      phase('mergeUri', sections.forUri),
      hooks.phase('translateName', { verdict: notDeclined(log, 'translate') }),
      // A sub-request for a file enters here.
      phase('forgetUriSections', sections.forgetUri),
      hooks.phase('mapToStorage', { verdict: notDeclined(log, 'map to storage') }),
      phase('mergeLocations', sections.mergeLocations),
      clientName,
      phase('mergeConditions', sections.mergeConditions, {
        trace: (request, tracer) => tracer.step(request, { kind: 'sections', sections: request.config.sections }),
      }),
      clientName,
      hooks.phase('postPerdirConfig'),
      hooks.phase('headerParser', { when: ({ main }) => main === null }),
      ...accessPhases(hooks, parts),
      hooks.phase('typeChecker', { verdict: notDeclined(log, 'find types') }),
      hooks.phase('fixups'),
      // A sub-request that is only looked up ends here.
    ],
    handle: handlerPhases(hooks, parts.files),
    fail: [challengePhase(parts.challenge, parts.functions, log)],
    deliver: deliveryPhases(hooks, parts.delivery),
    finish: finishPhases(hooks, parts.status, parts.cleanupFailed),
  }
}

function lookUp(request: RequestRecord, lookUpClient: ClientLookup): MaybePromise<Outcome> {
  const waiting = lookUpClient(request)
  return waiting === undefined ? OK : waiting.then(() => OK)
}

/** DONE leaves the path as it was sent. */
const mayStayEncoded: Verdict = (request, outcome) => {
  request.config = request.server.walkBase
  if (outcome === DONE) request.staysEncoded = true
  return outcome === DONE || outcome === DECLINED ? OK : outcome
}

function isToBeDecoded({ staysEncoded }: RequestRecord): boolean {
  return !staysEncoded
}
