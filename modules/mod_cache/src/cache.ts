import {
  DECLINED,
  httpStatus,
  type MaybePromise,
  type ModuleHost,
  OK,
  type Outcome,
  type Request,
  type ResponseStorage,
  responseStorages,
  type Slot,
} from '@gatewright/api'
import { answerWith, dropRepeated } from './answer.ts'
import { type CacheControl, parseCacheControl } from './cache-control.ts'
import { keyOf } from './cache-key.ts'
import { coversDecoded, coversRequest } from './cache-url.ts'
import { CaptureFilter } from './capture-filter.ts'
import type { CacheConfig, CacheServerConfig } from './config.ts'
import type { FieldList } from './fields.ts'
import { takeLock } from './lock.ts'
import { type Lookup, lookUp } from './lookup.ts'
import { noteOutcome } from './outcome-notes.ts'
import { askAbout, type Pending, restoreConditions } from './pending.ts'
import { PlacedFilter } from './placed-filter.ts'
import { discardBody, ResponseKeeper } from './response-keeper.ts'
import { storedBody } from './stored-body.ts'

/** Methods after which what is stored for the URL is out of date. */
const CHANGING: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE'])

const GATEWAY_TIMEOUT: Outcome = httpStatus(504)

/** Answers requests from storages, and has the responses to others stored. */
export class Cache {
  readonly #host: ModuleHost<CacheConfig, CacheServerConfig>
  readonly #pending: Slot<Request, Pending>
  readonly #hasPlace: Slot<Request, boolean>
  /** The fields of a stored response that is sent. */
  readonly #served: Slot<Request, FieldList>
  readonly #keeper: ResponseKeeper
  readonly #capture: CaptureFilter
  /** The filter that lines place among others, where the normal handler is to store and serve. */
  readonly placed: PlacedFilter

  constructor(host: ModuleHost<CacheConfig, CacheServerConfig>) {
    this.#host = host
    this.#pending = host.requestSlot()
    this.#hasPlace = host.requestSlot()
    this.#served = host.requestSlot()
    this.#keeper = new ResponseKeeper(host)
    this.#capture = new CaptureFilter(this.#pending)
    this.placed = new PlacedFilter(this.#pending, this.#hasPlace, this.#keeper)
  }

  /** Before all phases: what the lines outside of sections say counts. */
  quick(request: Request): MaybePromise<Outcome> {
    // The conditions of the cache were about another URL.
    for (let { prev } = request; prev !== null; prev = prev.prev) this.#restore(prev)
    if (this.#host.serverConfigOf(request.server).quickHandler === false) return DECLINED
    // What needs a user is neither looked up nor stored before anybody has authorized it.
    if (request.headersIn.has('Authorization') && !CHANGING.has(request.method)) return DECLINED
    return this.#enter(request, 'sent')
  }

  /**
   * In place of the handler: after access control.
   * @param place `standard` for requests without the filter CACHE
   */
  handle(request: Request, place: 'standard' | 'placed'): MaybePromise<Outcome> {
    if (request.main !== null || request.tracer !== null) return DECLINED
    if (this.#host.serverConfigOf(request.server).quickHandler !== false) return DECLINED
    if ((this.#hasPlace.get(request) === true) !== (place === 'placed')) return DECLINED
    return this.#enter(request, 'decoded')
  }

  /** Adds the filter of a request that the quick handler has left to others. */
  insertFilter(request: Request): void {
    const pending = this.#pending.get(request)
    if (pending?.kind === 'store' && !pending.isDone) request.addOutputFilter(this.#capture)
  }

  /** An error page replaces the response, and is not stored. */
  insertErrorFilter(request: Request): void {
    const pending = this.#pending.get(request)
    if (pending !== undefined) pending.captured = null
  }

  /** The head is complete, and the body has not been sent. */
  finish(request: Request): MaybePromise<void> {
    // Rules of mod_headers for error pages must not repeat what is stored.
    const served = this.#served.get(request)
    if (served !== undefined) dropRepeated(request, served)
    const pending = this.#pending.get(request)
    return pending === undefined || pending.isDone ? undefined : this.#finish(request, pending)
  }

  async #finish(request: Request, pending: Pending): Promise<void> {
    pending.isDone = true
    restoreConditions(request, pending)
    if (pending.kind === 'invalidate') return this.#invalidate(request, pending)
    const revived = await this.#keeper.revive(request, pending)
    if (revived !== null) {
      if (pending.captured !== null && !(pending.captured instanceof Uint8Array)) discardBody(pending.captured)
      request.respond(revived)
    } else if (pending.captured === null) await this.#keeper.forgetStale(request, pending)
    else await this.#keeper.store(request, pending, pending.captured)
  }

  #enter(request: Request, path: 'sent' | 'decoded'): MaybePromise<Outcome> {
    // A page for an error is that of the error, whatever is stored for its own URL.
    if (request.prev !== null && request.status !== 200) return DECLINED
    const isChanging = CHANGING.has(request.method)
    if (!isChanging && request.method !== 'GET' && !request.headerOnly) return DECLINED
    const storages = this.#storagesFor(request)
    if (storages.length === 0) return DECLINED
    const server = this.#host.serverConfigOf(request.server)
    const { headersIn } = request
    const asked = parseCacheControl(headersIn.get('Cache-Control'), headersIn.get('Pragma'))
    const obeys = server.ignoresCacheControl !== true
    if (asked.noStore && obeys) return DECLINED
    if (asked.noStore) this.#reportIgnored(request, 'AH02658', 'a no-store')
    const key = keyOf(request, server, path)
    if (isChanging) {
      this.#pending.set(request, {
        kind: 'invalidate',
        key,
        fields: [],
        storages,
        stale: null,
        sent: null,
        captured: null,
        isDone: false,
      })
      return DECLINED
    }
    if (asked.noCache && obeys) return this.#missed(request, path, key, storages, { kind: 'none' }, asked)
    if (asked.noCache) this.#reportIgnored(request, 'AH02657', 'an uncached')
    return lookUp(request, key, storages, asked, server).then((lookup) =>
      lookup.kind === 'hit' ? this.#hit(request, lookup) : this.#missed(request, path, key, storages, lookup, asked),
    )
  }

  #reportIgnored(request: Request, code: string, what: string): void {
    const text = `Incoming request is asking for ${what} version of ${request.unparsedUri}, but we have been configured to ignore it and serve cached content anyway`
    this.#host.log.write(request, 'info', code, text)
  }

  #hit(request: Request, { found, age, warnings }: Extract<Lookup, { kind: 'hit' }>): Outcome {
    const isPlaced = this.#hasPlace.get(request) === true
    if (!isPlaced) request.addOutputFilter(this.#capture)
    request.continueAfterFilter(isPlaced ? this.placed : this.#capture)
    answerWith(request, found.head, age, warnings)
    this.#served.set(request, found.head.fields)
    noteOutcome(request, this.#host.configOf(request), 'hit', 'cache hit')
    const met = request.meetsConditions()
    return met === OK ? request.respond(storedBody(found)) : met
  }

  #missed(
    request: Request,
    path: 'sent' | 'decoded',
    key: string,
    storages: readonly ResponseStorage[],
    lookup: Exclude<Lookup, { kind: 'hit' }>,
    asked: CacheControl,
  ): Outcome {
    if (lookup.kind === 'none' && asked.onlyIfCached) return GATEWAY_TIMEOUT
    const server = this.#host.serverConfigOf(request.server)
    const stale = lookup.kind === 'stale' ? lookup.stale : null
    // Another request is storing the response. One that insists on a new one stores it, too.
    if (stale === null && !asked.noCache && takeLock(request, key, server) === 'taken') return DECLINED
    const fields = [...request.headersIn]
    const sent = stale === null ? null : askAbout(request, stale.found)
    const isPlaced = this.#hasPlace.get(request) === true
    const kind = isPlaced ? 'placed' : 'store'
    this.#pending.set(request, { kind, key, fields, storages, stale, sent, captured: null, isDone: false })
    // In the normal handler, the filters of the request are already in place.
    if (path === 'decoded' && !isPlaced) request.addOutputFilter(this.#capture)
    return DECLINED
  }

  async #invalidate(request: Request, { key, storages }: Pending): Promise<void> {
    if (request.status > 299) return
    let isFound = false
    for (const storage of storages) isFound = (await storage.invalidate(request, key)) || isFound
    if (isFound) noteOutcome(request, this.#host.configOf(request), 'invalidate', `cache invalidated by ${request.method}`)
  }

  #restore(request: Request): void {
    const pending = this.#pending.get(request)
    if (pending !== undefined) restoreConditions(request, pending)
  }

  /** The storages of the lines that cover a request, each once. */
  #storagesFor(request: Request): readonly ResponseStorage[] {
    const { enabled, disabled, disabledHere } = this.#host.configOf(request)
    if (enabled.length === 0 || disabledHere === true) return []
    if (disabled.some((url) => coversDecoded(url, request))) return []
    const group = this.#host.providers.of(responseStorages)
    const storages = new Set<ResponseStorage>()
    for (const { storage, url } of enabled) {
      const found = url === null || coversRequest(url, request) ? group.get(storage) : undefined
      if (found !== undefined) storages.add(found)
    }
    return [...storages]
  }
}
