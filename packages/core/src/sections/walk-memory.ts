import type { MergedConfig } from '../model/merged-config.ts'
import type { RequestRecord } from '../model/request-record.ts'
import { NOT_WALKED, STORED, TRANSLATED, WALKED } from '../model/request-states.ts'
import type { ServerRecord } from '../model/server-record.ts'
import { locationName } from './location-walk.ts'

/**
 * What redirects and sub-requests reuse from their request. `configuration`: a walk that finds the same
 * sections has the same result. `name`: only a walk for the same URL path or file name has the same result;
 * httpd requires this if the decision of a loaded module may depend on the request.
 */
export type RememberedBy = 'configuration' | 'name'

/** The kinds of walks, each cached separately. */
type Kind = 'location' | 'directory' | 'file' | 'if'

/**
 * Represents the object that httpd would create: a walk that is not cached creates a new one, even for the
 * same sections. Compared by identity.
 */
class WalkResult {
  readonly config: MergedConfig

  constructor(config: MergedConfig) {
    this.config = config
  }
}

/** One walk of a request. */
interface Walk {
  /** The URL path or file name; null if no other walk could have the same name. */
  readonly name: string | null
  /** The configuration over which the sections were merged. */
  readonly over: WalkResult
  readonly result: WalkResult
  /** Number of walks of this kind in the request before it. */
  readonly number: number
  readonly before: Walk | null
}

/** The walks of one request. */
interface Walks {
  /** The progress of the request when its walks were last read. */
  stage: number
  result: WalkResult
  /**
   * True if the walk through If sections stopped at a cached result: the sections nested in the cached ones
   * are skipped.
   */
  endedEarly: boolean
  readonly last: Record<Kind, Walk | null>
}

/** The walks of a request whose walk through If sections is in progress. */
interface Unfinished {
  readonly config: MergedConfig
  readonly stage: number
  readonly encodedConfig: MergedConfig | null
  readonly walks: Walks
}

/**
 * Decides whether a sub-request or redirect has the configuration of an earlier request in httpd's sense: as
 * the same object, not only made of the same sections. httpd looks for the walk of the same kind and number
 * in the earlier request. A sub-request for a file is not translated, so its only Location walk is compared
 * with the first of the main request, which was merged over nothing. The walks are reconstructed on demand
 * from the state that requests keep.
 */
export class WalkMemory {
  readonly #rememberedBy: RememberedBy
  readonly #known = new WeakMap<RequestRecord, Walks>()
  readonly #unfinished = new WeakMap<RequestRecord, Unfinished>()
  readonly #defaults = new WeakMap<ServerRecord, WalkResult>()

  constructor(rememberedBy: RememberedBy) {
    this.#rememberedBy = rememberedBy
  }

  /** True if both have the same configuration. */
  isSame(request: RequestRecord, before: RequestRecord): boolean {
    return this.#resultOf(request) === this.#resultOf(before)
  }

  /**
   * The configuration of a request at its current stage. It differs from the result of the walks if httpd
   * skips nested If sections.
   */
  configOf(request: RequestRecord): MergedConfig {
    return this.#walksOf(request).result.config
  }

  /**
   * True if the walk through If sections in progress has reached a cached result: httpd skips the sections
   * nested in the cached ones.
   */
  endsIfWalk(request: RequestRecord): boolean {
    return this.#walksOf(request).endedEarly
  }

  #resultOf(request: RequestRecord): WalkResult {
    let source = request
    while (source.replacedBy !== null) source = source.replacedBy
    return this.#walksOf(source).result
  }

  #walksOf(request: RequestRecord): Walks {
    let walks = this.#known.get(request)
    if (walks === undefined) {
      const last = { location: null, directory: null, file: null, if: null }
      walks = { stage: NOT_WALKED, result: this.#defaultsOf(request), endedEarly: false, last }
      this.#known.set(request, walks)
    }
    if (walks.stage < request.walkStage) this.#advance(request, walks)
    return request.ifWalkConfig === null ? walks : this.#withUnfinished(request, request.ifWalkConfig, walks)
  }

  /** The walks including the one in progress; the same objects until that one gets further. */
  #withUnfinished(request: RequestRecord, config: MergedConfig, finished: Walks): Walks {
    const { walkStage: stage, encodedConfig } = request
    const known = this.#unfinished.get(request)
    if (known !== undefined && known.config === config && known.stage === stage && known.encodedConfig === encodedConfig)
      return known.walks
    const walks: Walks = { ...finished, endedEarly: false, last: { ...finished.last } }
    if (stage < TRANSLATED && encodedConfig !== null)
      this.#urlWalks(request, walks, walks.result, request.encodedUri, encodedConfig)
    walks.result = this.#urlWalks(request, walks, walks.result, request.uri, config, true)
    this.#unfinished.set(request, { config, stage, encodedConfig, walks })
    return walks
  }

  #advance(request: RequestRecord, walks: Walks): void {
    const from = walks.stage
    const to = request.walkStage
    walks.stage = to
    const defaults = this.#defaultsOf(request)
    const { translatedConfig, encodedConfig } = request
    if (from < TRANSLATED && translatedConfig !== null) {
      // httpd always walks twice here, before and after escapes are decoded.
      const first = encodedConfig ?? translatedConfig
      this.#urlWalks(request, walks, defaults, encodedConfig === null ? request.translatedUri : request.encodedUri, first)
      walks.result = this.#urlWalks(request, walks, defaults, request.translatedUri, translatedConfig)
    }
    if (to > TRANSLATED && from < STORED) walks.result = defaults
    if (to >= STORED && from < STORED) walks.result = this.#fileWalks(request, walks, defaults)
    if (to >= WALKED && from < WALKED) {
      walks.result = this.#urlWalks(request, walks, walks.result, request.finalUri, request.finalConfig)
    }
  }

  #fileWalks(request: RequestRecord, walks: Walks, defaults: WalkResult): WalkResult {
    // A module merged its own sections in place of folders and files: httpd merges these for every request.
    if (request.walkedFolder === null && request.walkedFile === null && request.storedConfig !== defaults.config) {
      return new WalkResult(request.storedConfig)
    }
    let result = defaults
    if (request.walkedFolder !== null) {
      const taken = request.walkedBefore ? this.#remembered(request, walks, 'directory') : null
      result = this.#walk(request, walks, 'directory', null, result, request.walkedConfig, taken?.result ?? null)
    }
    if (request.walkedFile === null) return result
    return this.#walk(request, walks, 'file', request.walkedFile, result, request.storedConfig)
  }

  /** The walk through Location sections, and the walks through If sections, one for each level of nesting. */
  #urlWalks(
    request: RequestRecord,
    walks: Walks,
    over: WalkResult,
    uri: string,
    config: MergedConfig,
    isUnfinished = false,
  ): WalkResult {
    const steps = stepsBetween(over.config, config)
    const { core } = request.server
    let result = over
    let step = 0
    if (core.locationSections.length > 0) {
      const name = locationName(request.server, uri)
      const found = step < steps.length && !isConditional(steps[step]) ? steps[step++] : result.config
      result = this.#walk(request, walks, 'location', name, result, found)
    }
    walks.endedEarly = false
    let seen = 0
    while (result.config.core.ifSections.length > seen) {
      seen = result.config.core.ifSections.length
      const remembered = this.#remembered(request, walks, 'if')
      if (isUnfinished && step === steps.length) {
        this.#begin(walks, remembered, result)
        return result
      }
      const found = step < steps.length ? steps[step++] : result.config
      result = this.#walk(request, walks, 'if', null, result, found)
      // httpd stops at a cached result and skips the sections nested in the cached ones.
      if (result === remembered?.result) {
        walks.endedEarly = true
        return result
      }
    }
    return result.config === config ? result : new WalkResult(config)
  }

  /** @param taken the result of an earlier walk that was reused as a whole */
  #walk(
    request: RequestRecord,
    walks: Walks,
    kind: Kind,
    name: string | null,
    over: WalkResult,
    config: MergedConfig,
    taken: WalkResult | null = null,
  ): WalkResult {
    const before = walks.last[kind]
    const result = taken ?? this.#resultLike(this.#remembered(request, walks, kind), name, over, config)
    walks.last[kind] = { name, over, result, number: before === null ? 0 : before.number + 1, before }
    return result
  }

  /**
   * Records a walk through If sections that has no result yet. Until then httpd keeps the result of the walk
   * with which it is compared.
   */
  #begin(walks: Walks, remembered: Walk | null, over: WalkResult): void {
    const before = walks.last.if
    const number = before === null ? 0 : before.number + 1
    const stale = remembered ?? { over: new WalkResult(over.config), result: new WalkResult(over.config) }
    walks.last.if = { name: null, over: stale.over, result: stale.result, number, before }
  }

  #resultLike(remembered: Walk | null, name: string | null, over: WalkResult, config: MergedConfig): WalkResult {
    if (config === over.config) return over
    if (remembered === null || remembered.over !== over || remembered.result.config !== config) return new WalkResult(config)
    const holds = this.#rememberedBy === 'configuration' || (name !== null && name === remembered.name)
    return holds ? remembered.result : new WalkResult(config)
  }

  /**
   * The walk with which the next walk of a kind is compared: the one of the same number in the previous
   * request, otherwise the one before it in the same request.
   */
  #remembered(request: RequestRecord, walks: Walks, kind: Kind): Walk | null {
    const own = walks.last[kind]
    const number = own === null ? 0 : own.number + 1
    let other = this.#lastWalk(request.prev, kind) ?? this.#lastWalk(request.main, kind)
    while (other !== null && other.number > number) other = other.before
    return other !== null && other.number === number ? other : own
  }

  #lastWalk(request: RequestRecord | null, kind: Kind): Walk | null {
    return request === null ? null : this.#walksOf(request).last[kind]
  }

  #defaultsOf({ server }: RequestRecord): WalkResult {
    let defaults = this.#defaults.get(server)
    if (defaults === undefined) {
      defaults = new WalkResult(server.walkBase)
      this.#defaults.set(server, defaults)
    }
    return defaults
  }
}

/** The configurations created between two of them, in order, including the last one. */
function stepsBetween(from: MergedConfig, to: MergedConfig): MergedConfig[] {
  const steps: MergedConfig[] = []
  for (let one: MergedConfig | null = to; one !== null && one !== from; one = one.base) steps.unshift(one)
  return steps
}

/** Whether the last merged sections are If sections. */
function isConditional(config: MergedConfig): boolean {
  return config.lastSection?.kind === 'If'
}
