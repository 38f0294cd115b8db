import { DECLINED, DONE, OK, type OptionalFunctions } from '@gatewright/api'
import type { RequestRecord } from '../model/request-record.ts'
import { IfMerging } from '../sections/if-merging.ts'
import type { WalkMemory } from '../sections/walk-memory.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { ServingTally } from '../status/serving-tally.ts'
import { accessPhases } from './access.ts'
import { type ChallengeHook, challengePhase } from './challenge.ts'
import { chooseServer } from './choose-server.ts'
import type { DefaultHandlerContext } from './default-handler.ts'
import { type DeliveryParts, deliveryPhases } from './deliver.ts'
import type { ErrorAnswers } from './error-answer.ts'
import { failurePhases } from './fail.ts'
import { type CleanupFailed, finishPhases } from './finish.ts'
import { handlerPhases } from './handle.ts'
import type { HookRows } from './hook-rows.ts'
import { forgetUriSections } from './map-to-storage.ts'
import { UriMerging } from './merge-for-uri.ts'
import { mergeConditions, mergeLocations } from './merge-over-files.ts'
import { type ClientNames, nameClientForLogsPhase, nameClientPhase } from './name-client.ts'
import { type FinalPhase, notDeclined, type Phase, phase, type Verdict } from './phase.ts'
import { type RequestBodies, unreadBodyPhase } from './request-bodies.ts'
import { retryPhases } from './retry.ts'
import { asksAboutServer, type Upgrades, upgradeWithoutFile } from './upgrade.ts'
import { decodeUri, normaliseUri, refuseForProxy } from './uri.ts'

/** What the phases depend on. */
export interface LifecycleParts {
  readonly hooks: HookRows
  readonly functions: OptionalFunctions
  readonly challenge: ChallengeHook
  readonly names: ClientNames
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
  readonly upgrades: Upgrades
  readonly errors: ErrorAnswers
  readonly bodies: RequestBodies
  readonly delivery: DeliveryParts
  readonly tally: ServingTally
  readonly cleanupFailed: CleanupFailed
  readonly log: CoreLog
}

/** The rows of the table. */
export interface Lifecycle {
  readonly phases: readonly Phase[]
  /** The rows after the response. */
  readonly afterwards: readonly FinalPhase[]
}

/**
 * The life of a request, top to bottom. `hooks` makes a row from a hook of modules; `phase` makes a row from the
 * server's own work. Rows work on the success track if they do not state another one, and no row knows the next
 * one: run-phases.ts takes a request through them. A row states when it is skipped (`when`) and what its
 * outcome means (`verdict`).
 */
export function createLifecycle(parts: LifecycleParts): Lifecycle {
  const { hooks, memory, names, log } = parts
  const conditions = new IfMerging(memory, log)
  const uri = new UriMerging(conditions, parts.conditionsLookUp ? memory : null)
  // httpd always merges before it decodes. If the path has no escapes, the next row finds the same sections;
  // only functions and conditions that look at requests can detect the second merge.
  const alwaysMerges = !hooks.isEmpty('preTranslateName') || parts.conditionsLookUp
  const phases = [
    // A client's request enters here.
    phase('chooseServer', chooseServer(log)),
    nameClientPhase('nameClient', names),
    // An internal redirect and the ErrorDocument of an error enter here.
    hooks.phase('postReadRequest'),
    hooks.optionalPhase('quickHandler', { when: isServed, verdict: mayBeAnswered }),
    phase('refuseForProxy', refuseForProxy),
    // A sub-request for a URI enters here.
    // The URI of a request for a proxy is the URL of another server.
    phase('normaliseUri', (request) => normaliseUri(request, log), { when: hasOwnUri }),
    phase('mergeEncodedUri', uri.forEncodedUri, { when: (request) => alwaysMerges || request.uri.includes('%') }),
    hooks.phase('preTranslateName', { verdict: mayStayEncoded }),
    phase('decodeUri', (request) => decodeUri(request, log), { when: isToBeDecoded }),
    phase('mergeUri', uri.forUri),
    hooks.phase('translateName', { verdict: notDeclined(log, 'translate') }),
    // A sub-request for a file enters here.
    phase('forgetUriSections', forgetUriSections),
    phase('upgradeWithoutFile', upgradeWithoutFile(parts.upgrades), { when: asksAboutServer }),
    hooks.phase('mapToStorage', { verdict: notDeclined(log, 'map to storage') }),
    phase('mergeLocations', mergeLocations),
    nameClientPhase('nameClientForLocation', names),
    phase('mergeConditions', (request) => mergeConditions(request, conditions, memory), {
      trace: (request, tracer) => tracer.step(request, { kind: 'sections', sections: request.config.sections }),
    }),
    nameClientPhase('nameClientForCondition', names),
    hooks.phase('postPerdirConfig'),
    hooks.phase('headerParser', { when: ({ main }) => main === null }),
    ...accessPhases(hooks, parts),
    hooks.phase('typeChecker', { verdict: notDeclined(log, 'find types') }),
    hooks.phase('fixups'),
    // A sub-request that is only looked up ends here. One that is run continues, and ends after its handler.
    ...handlerPhases(hooks, parts.files, parts.upgrades),
    // DONE leads here from every row above, and so does a request that the engine could not read. Logs also show
    // the name of a client whose request ended before its configuration was known.
    nameClientForLogsPhase('nameClientForLogs', names),
    unreadBodyPhase(parts.bodies),
    // Every error above leads here: a page replaces the response, or an ErrorDocument the request.
    challengePhase(parts.challenge, parts.functions, log),
    ...failurePhases(parts.errors, parts.bodies),
    // A response and an error page continue here.
    ...deliveryPhases(hooks, parts.delivery),
    // A response that could not be delivered continues here, and then above.
    ...retryPhases(),
  ]
  // The engine reports here that the last byte was sent or the client has disconnected.
  return { phases, afterwards: finishPhases(hooks, parts.tally, parts.cleanupFailed) }
}

/** An answered request goes to the delivery of its response. */
const mayBeAnswered: Verdict = (_request, outcome) => (outcome === OK ? DONE : outcome === DECLINED ? OK : outcome)

/** False for a request that is only explained or decided about: nothing may answer it in the place of the rules. */
function isServed({ tracer, observer, asker, main }: RequestRecord): boolean {
  return tracer === null && observer === null && asker === null && main === null
}

/** DONE leaves the path as it was sent. */
const mayStayEncoded: Verdict = (request, outcome) => {
  request.config = request.server.walkBase
  if (outcome === DONE) request.staysEncoded = true
  return outcome === DONE || outcome === DECLINED ? OK : outcome
}

function hasOwnUri({ proxyRequest }: RequestRecord): boolean {
  return proxyRequest !== 'forward'
}

function isToBeDecoded({ staysEncoded, uri, proxyRequest }: RequestRecord): boolean {
  return !staysEncoded && uri.includes('%') && proxyRequest !== 'forward'
}
