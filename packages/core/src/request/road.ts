import type { AccessPhase, DecisionTracer, OptionalFunctions } from '@gatewright/api'
import {
  DECLINED,
  DONE,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_NOT_FOUND,
  httpStatus,
  isRequestTooExpensive,
  type MaybePromise,
  OK,
  type Outcome,
  satisfyOf,
} from '@gatewright/api'
import { directoryWalk, type WalkContext } from '../sections/directory-walk.ts'
import { fileWalk } from '../sections/file-walk.ts'
import { type IfFailure, ifWalk, isIfFailure } from '../sections/if-walk.ts'
import { locationWalk } from '../sections/location-walk.ts'
import type { MergedConfig } from '../sections/merged-config.ts'
import { WalkMemory } from '../sections/walk-memory.ts'
import type { CoreLog } from '../services/error-log.ts'
import type { HookRunner } from './hook-runner.ts'
import { decodeUri, normaliseUri } from './read-uri.ts'
import { MAPPING, NOT_WALKED, type RequestRecord, STORED, TRANSLATED, WALKED } from './request-record.ts'
import { tooExpensive } from './too-expensive.ts'

/** The hooks of the road, ready to run. */
export interface RoadHooks {
  readonly preTranslateName: HookRunner
  readonly translateName: HookRunner
  readonly mapToStorage: HookRunner
  readonly postPerdirConfig: HookRunner
  readonly headerParser: HookRunner
  readonly accessChecker: HookRunner
  readonly accessCheckerEx: HookRunner
  readonly forceAuthn: HookRunner
  readonly checkUserId: HookRunner
  readonly authChecker: HookRunner
  readonly typeChecker: HookRunner
  readonly fixups: HookRunner
}

/** The phases, in order. */
const NORMALISE = 0
const PRE_TRANSLATE = 1
const DECODE = 2
const TRANSLATE = 3
const MAP = 4
const PER_DIRECTORY = 5
const POST_PER_DIRECTORY = 6
const HEADER_PARSER = 7
const ACCESS = 8
const ACCESS_EX = 9
const FORCE_AUTHN = 10
const CHECK_USER = 11
const AUTH_CHECK = 12
const TYPE = 13
const FIXUPS = 14
const END = 15

/** Where a request enters: sub-requests for a file skip what is done to URIs. */
export const FROM_URI: number = NORMALISE
export const FROM_FILE: number = MAP

const ACCESS_PHASES: Readonly<Record<number, AccessPhase>> = {
  [ACCESS]: 'accessChecker',
  [ACCESS_EX]: 'accessCheckerEx',
  [FORCE_AUTHN]: 'forceAuthn',
  [CHECK_USER]: 'checkUserId',
  [AUTH_CHECK]: 'authChecker',
}

/** Tells a tracer of a phase that is over, if it has a part in the decision. */
function trace(request: RequestRecord, tracer: DecisionTracer, phase: number, outcome: Outcome): void {
  if (phase === PER_DIRECTORY) tracer.step(request, { kind: 'sections', sections: request.config.sections })
  const name = ACCESS_PHASES[phase]
  if (name !== undefined) tracer.step(request, { kind: 'phase', phase: name, outcome })
}

/** Makes the client's name known where the request's configuration asks for it. A promise only when a name server has to be asked. */
export type ClientLookup = (request: RequestRecord) => void | Promise<void>

/**
 * The road of a request, straight down: from its URI to a configuration, through access control, to the point where a handler can serve it. No
 * phase knows the next. When a hook waits, the road goes on from the phase where it stopped.
 */
export class Road {
  private readonly hooks: RoadHooks
  private readonly walk: WalkContext
  private readonly functions: OptionalFunctions
  private readonly log: CoreLog
  private readonly lookUpClient: ClientLookup
  /** Source names of the modules with an access function whose decision may depend on the request. */
  private readonly decidingByRequest: readonly string[]
  private readonly memory: WalkMemory
  /** What would be remembered without these modules, for explanations. */
  private readonly memoryWithout: WalkMemory

  constructor(
    hooks: RoadHooks,
    walk: WalkContext,
    functions: OptionalFunctions,
    log: CoreLog,
    lookUpClient: ClientLookup,
    decidingByRequest: readonly string[],
  ) {
    this.hooks = hooks
    this.decidingByRequest = decidingByRequest
    this.memoryWithout = new WalkMemory('configuration')
    this.memory = decidingByRequest.length === 0 ? this.memoryWithout : new WalkMemory('name')
    this.lookUpClient = lookUpClient
    this.walk = walk
    this.functions = functions
    this.log = log
  }

  /** OK when the request may be served, else the outcome that ends it. */
  travel(request: RequestRecord, from: number): MaybePromise<Outcome> {
    let phase = from
    for (;;) {
      const result = this.enter(request, phase)
      if (typeof result !== 'number') return this.resume(request, phase, result)
      if (request.tracer !== null) trace(request, request.tracer, phase, result)
      const end = this.leave(request, phase, result)
      if (end !== null) return this.ended(request, phase, end)
      phase = this.next(request, phase, result)
      if (phase === END) return OK
    }
  }

  private async resume(request: RequestRecord, phase: number, waiting: Promise<Outcome>): Promise<Outcome> {
    const result = await waiting
    if (request.tracer !== null) trace(request, request.tracer, phase, result)
    const end = this.leave(request, phase, result)
    if (end !== null) return this.ended(request, phase, end)
    const next = this.next(request, phase, result)
    return next === END ? OK : this.travel(request, next)
  }

  private ended(request: RequestRecord, phase: number, outcome: Outcome): Outcome {
    if (phase >= ACCESS && phase <= AUTH_CHECK) request.refusalStatus = outcome
    return outcome
  }

  private enter(request: RequestRecord, phase: number): MaybePromise<Outcome> {
    switch (phase) {
      case NORMALISE:
        return normaliseUri(request, this.log)
      case PRE_TRANSLATE: {
        if (this.hooks.preTranslateName.isEmpty) return DECLINED
        return this.afterWalk(request, this.hooks.preTranslateName, rememberEncoded)
      }
      case DECODE:
        return this.decode(request)
      case TRANSLATE: {
        return this.afterWalk(request, this.hooks.translateName, rememberTranslated)
      }
      case MAP:
        request.config = request.server.walkBase
        request.walkStage = MAPPING
        return this.hooks.mapToStorage.run(request)
      case PER_DIRECTORY:
        request.storedConfig = request.config
        request.walkStage = STORED
        request.config = locationWalk(request, request.config)
        return this.withClientName(request, this.mergeIfSections)
      case POST_PER_DIRECTORY:
        return this.withClientName(request, this.postPerdirConfig)
      case HEADER_PARSER:
        return request.main === null ? this.hooks.headerParser.run(request) : OK
      case ACCESS:
        return this.hooks.accessChecker.run(request)
      case ACCESS_EX:
        return this.hooks.accessCheckerEx.run(request)
      case FORCE_AUTHN:
        return this.hooks.forceAuthn.run(request)
      case CHECK_USER:
        return this.hooks.checkUserId.run(request)
      case AUTH_CHECK:
        return this.hooks.authChecker.run(request)
      case TYPE:
        return this.hooks.typeChecker.run(request)
      default:
        return this.hooks.fixups.run(request)
    }
  }

  /** The outcome that ends the road here, or null. */
  private leave(request: RequestRecord, phase: number, result: Outcome): Outcome | null {
    switch (phase) {
      case NORMALISE:
      case DECODE:
      case PER_DIRECTORY:
      case POST_PER_DIRECTORY:
      case HEADER_PARSER:
      case FIXUPS:
        return result === OK ? null : result
      case PRE_TRANSLATE:
        return result === OK || result === DECLINED || result === DONE ? null : result
      case TRANSLATE:
        return result === OK ? null : this.declined(request, result, 'translate')
      case MAP:
        return result === OK ? null : this.declined(request, result, 'map to storage')
      case ACCESS:
        if (result === OK) return null
        // With Satisfy Any another check may still admit the client, but not past one that broke.
        return this.satisfy(request) === 'any' && result !== HTTP_INTERNAL_SERVER_ERROR
          ? null
          : this.declined(request, result, 'check access (with Satisfy All)')
      case ACCESS_EX:
        return result === OK || result === DECLINED ? null : this.declined(request, result, 'check access')
      case FORCE_AUTHN:
        return result === OK || result === DECLINED ? null : result
      case CHECK_USER:
        if (result !== OK) return this.declined(request, result, 'check user')
        return request.user === null ? this.noUser(request) : null
      case AUTH_CHECK:
        return result === OK ? null : this.declined(request, result, 'check authorization')
      default:
        return result === OK ? null : this.declined(request, result, 'find types')
    }
  }

  /** The phase after one that let the request pass. */
  private next(request: RequestRecord, phase: number, result: Outcome): number {
    switch (phase) {
      case PRE_TRANSLATE:
        request.config = request.server.walkBase
        return result === DONE ? TRANSLATE : DECODE
      case HEADER_PARSER:
        return this.mayBeSkipped(request) ? this.granted(request) : ACCESS
      case ACCESS:
        return result === OK && this.satisfy(request) === 'any' ? this.granted(request) : ACCESS_EX
      case ACCESS_EX:
        return result === DECLINED ? CHECK_USER : FORCE_AUTHN
      case FORCE_AUTHN:
        return result === OK ? CHECK_USER : this.granted(request)
      case AUTH_CHECK:
        return this.granted(request)
      default:
        return phase + 1
    }
  }

  private granted(request: RequestRecord): number {
    request.accessGranted = true
    return TYPE
  }

  private decode(request: RequestRecord): MaybePromise<Outcome> {
    if (!this.hooks.preTranslateName.isEmpty || !this.walksBeforeDecoding(request)) return decodeUri(request, this.log)
    const walked = this.withIfSections(request, locationWalk(request, request.server.walkBase), rememberEncoded)
    return walked instanceof Promise
      ? walked.then((outcome) => this.afterWalkOfEncoded(request, outcome))
      : this.afterWalkOfEncoded(request, walked)
  }

  /** What that walk merged is forgotten: a path that cannot be decoded is answered as the server says. */
  private afterWalkOfEncoded(request: RequestRecord, outcome: Outcome): Outcome {
    if (outcome !== OK) return outcome
    request.config = request.server.walkBase
    return decodeUri(request, this.log)
  }

  /** httpd always walks before it decodes. Without escapes the walk after that finds the same, and only conditions that look up requests show that there were two. */
  private walksBeforeDecoding({ uri }: RequestRecord): boolean {
    return this.walk.conditionsLookUp || uri.includes('%')
  }

  /** Merges Location and If sections for a hook that translates the URI, and runs it. */
  private afterWalk(request: RequestRecord, hook: HookRunner, remember: (request: RequestRecord) => void): MaybePromise<Outcome> {
    const merged = this.withIfSections(request, locationWalk(request, request.server.walkBase), remember)
    if (merged instanceof Promise) return merged.then((outcome) => (outcome === OK ? hook.run(request) : outcome))
    return merged === OK ? hook.run(request) : merged
  }

  /** After the walk of folders and files, and the Location sections that override them: If sections override everything. */
  private readonly mergeIfSections = (request: RequestRecord): MaybePromise<Outcome> =>
    this.withIfSections(request, request.config, rememberFinal)

  private withIfSections(
    request: RequestRecord,
    base: MergedConfig,
    remember: (request: RequestRecord) => void,
  ): MaybePromise<Outcome> {
    const result = ifWalk(request, base)
    if (!(result instanceof Promise)) return this.takeConfig(request, result, remember)
    return result.then(
      (merged) => this.takeConfig(request, merged, remember),
      (error: unknown) => this.walkFailed(request, error),
    )
  }

  private takeConfig(
    request: RequestRecord,
    merged: MergedConfig | IfFailure,
    remember: (request: RequestRecord) => void,
  ): Outcome {
    if (isIfFailure(merged)) return this.ifFailed(request, merged.reason)
    request.config = merged
    remember(request)
    if (request.walkStage !== NOT_WALKED) this.leaveOut(request)
    return OK
  }

  /** What httpd remembers of a request before this one may lack the If sections that stand in others. */
  private leaveOut(request: RequestRecord): void {
    if (request.prev !== null || request.main !== null) request.config = this.memory.configOf(request)
  }

  private walkFailed(request: RequestRecord, error: unknown): Outcome {
    if (isRequestTooExpensive(error)) return tooExpensive(this.log, request, error)
    throw error
  }

  private readonly postPerdirConfig = (request: RequestRecord): MaybePromise<Outcome> => this.hooks.postPerdirConfig.run(request)

  /** Expressions and modules read the client's name from here on, as what was merged last says. */
  private withClientName(request: RequestRecord, go: (request: RequestRecord) => MaybePromise<Outcome>): MaybePromise<Outcome> {
    const waiting = this.lookUpClient(request)
    return waiting === undefined ? go(request) : waiting.then(() => go(request))
  }

  private ifFailed(request: RequestRecord, reason: string): Outcome {
    this.log.write(request, 'error', 'AH00039', `Failed to evaluate <If > condition: ${reason}`)
    return HTTP_INTERNAL_SERVER_ERROR
  }

  /** Core's own function of mapToStorage: the walk of folders, .htaccess files and files. */
  mapToStorage(request: RequestRecord): MaybePromise<Outcome> {
    if (request.filename === '') {
      this.log.write(request, 'error', 'AH00029', `Module bug?  Request filename is missing for URI ${request.uri}`)
      return HTTP_NOT_FOUND
    }
    const result = directoryWalk(request, this.walk)
    if (typeof result !== 'number') return result.then(() => this.mapToStorage(request))
    if (result !== OK) return result
    const merged = fileWalk(request, request.config)
    if (merged instanceof Promise) {
      return merged.then((config) => {
        request.config = config
        return OK
      })
    }
    request.config = merged
    return OK
  }

  /** A sub-request or redirect with the configuration of the request before it shares the decision about that one. */
  private mayBeSkipped(request: RequestRecord): boolean {
    const { prev, main, tracer } = request
    if (prev === null && main === null) return false
    const origin = this.sharing(request, this.memory)
    if (origin !== null) {
      request.user = origin.user
      request.authType = origin.authType
      tracer?.step(request, { kind: 'decided before' })
      return true
    }
    if (tracer !== null && this.sharing(request, this.memoryWithout) !== null) {
      tracer.step(request, { kind: 'decided again', modules: this.decidingByRequest })
    }
    return false
  }

  /** The request before this one that has the same configuration; null when there is none. */
  private sharing(request: RequestRecord, memory: WalkMemory): RequestRecord | null {
    const { prev, main } = request
    if (prev !== null && memory.isSame(request, prev)) return prev
    return main !== null && memory.isSame(request, main) ? main : null
  }

  private satisfy(request: RequestRecord): 'all' | 'any' | 'unset' {
    return this.functions.get(satisfyOf)?.(request) ?? 'unset'
  }

  private declined(request: RequestRecord, result: Outcome, what: string): Outcome {
    if (result !== DECLINED) return result
    this.log.write(request, 'crit', 'AH00025', `configuration error:  couldn't ${what}: ${request.uri}`)
    return HTTP_INTERNAL_SERVER_ERROR
  }

  private noUser(request: RequestRecord): Outcome {
    const code = this.satisfy(request) === 'any' ? 'AH00028' : 'AH00027'
    const text = `No authentication done but request not allowed without authentication for ${request.uri}. Authentication not configured?`
    this.log.write(request, 'error', code, text)
    return httpStatus(500)
  }
}

/** What the walks for the path before its escapes are decoded came to. */
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
