import { type FilteredBody, type ModuleHost, OK, type Request, type ResponseWriter, type StoredHead } from '@gatewright/api'
import { httpDate, leadingInteger, parseHttpDate } from '@gatewright/api/text'
import { answerWith } from './answer.ts'
import { type CacheControl, parseCacheControl } from './cache-control.ts'
import type { CacheConfig, CacheServerConfig } from './config.ts'
import { chosenBy, type FieldList, fieldOf, responseFields, storableFields, updatedFields } from './fields.ts'
import { noteOutcome } from './outcome-notes.ts'
import type { Pending, StaleResponse } from './pending.ts'
import { expiryOf, reasonNotToStore } from './storable.ts'
import { type StoredBody, storedBody } from './stored-body.ts'
import { StoredStream } from './stored-stream.ts'

const EMPTY = new Uint8Array(0)
const UNWILLING = 'cache miss: cache unwilling to store response'

/** Has responses stored, and puts stored ones in the place of those that confirm them. */
export class ResponseKeeper {
  readonly #host: ModuleHost<CacheConfig, CacheServerConfig>

  constructor(host: ModuleHost<CacheConfig, CacheServerConfig>) {
    this.#host = host
  }

  /**
   * If the origin confirms the stale response of a request, or fails, that response becomes the one of the request.
   * @returns its body; null if the response of the origin stays
   */
  async revive(request: Request, { key, stale }: Pending): Promise<StoredBody | null> {
    if (stale === null) return null
    const config = this.#host.configOf(request)
    if (request.status === 304) return this.#confirmed(request, key, stale, config)
    if (request.status < 500 || !mayReplaceErrors(stale, config)) return null
    answerWith(request, stale.found.head, null, ['111 Revalidation failed'])
    noteOutcome(request, config, 'hit', 'cache hit: stale content returned due to 5xx')
    return storedBody(stale.found)
  }

  /** Stores a response unless it must not be stored, and notes which. A stream is stored while it is sent. */
  async store(request: Request, pending: Pending, body: Uint8Array | StoredStream): Promise<void> {
    const config = this.#host.configOf(request)
    const fields = datedFields(responseFields(request), request)
    const control = controlOf(fields)
    const reason = reasonNotToStore(request, fields, control, config, this.#serverOf(request), false)
    const isPart = request.status === 206 || fieldOf(fields, 'Content-Range') !== undefined
    const requestFields = chosenBy(fields, pending.fields)
    const made = this.#headOf(request, fields, control, config)
    const head = { ...made, fields: withLength(made.fields, request, body), requestFields, headerOnly: request.headerOnly }
    const length = request.headerOnly ? 0 : body instanceof Uint8Array ? body.length : null
    const writer = reason !== null || isPart ? null : await firstWriter(request, pending, head, length)
    if (writer === null) {
      await this.forgetStale(request, pending)
      if (request.status === 304) request.headersOut.unset('Last-Modified')
      return noteOutcome(request, config, 'miss', reason ?? UNWILLING)
    }
    // As in httpd, who makes the cache store a response gets all of it.
    request.headersIn.delete('Range')
    noteOutcome(request, config, 'miss', 'cache miss: attempting entity save')
    if (request.headerOnly) return writer.commit()
    if (body instanceof StoredStream) return body.storeIn(writer, leadingInteger(fieldOf(fields, 'Content-Length') ?? ''))
    if (await writer.write(body)) await writer.commit()
  }

  /** What is stored is not what the origin sends now, unless it only fails. */
  async forgetStale(request: Request, { key, stale }: Pending): Promise<void> {
    if (stale !== null && request.status < 500) await stale.storage.remove(request, key)
  }

  /** The origin says that the stored response is still up to date. */
  async #confirmed(
    request: Request,
    key: string,
    { storage, found }: StaleResponse,
    config: Readonly<CacheConfig>,
  ): Promise<StoredBody> {
    const fields = updatedFields(found.head.fields, storableFields(responseFields(request), []))
    const control = controlOf(fields)
    const reason = reasonNotToStore(request, fields, control, config, this.#serverOf(request), true)
    const { status, requestFields, headerOnly } = found.head
    const head = { ...this.#headOf(request, fields, control, config), status, requestFields, headerOnly }
    let note: string
    if (reason === null) {
      const isRefreshed = await storage.refresh(request, key, found, head)
      note = isRefreshed ? 'conditional cache hit: entity refreshed' : 'conditional cache hit: entity refresh failed'
    } else {
      await storage.remove(request, key)
      note = `conditional cache miss: 304 was uncacheable, entity removed: ${reason}`
    }
    request.errHeadersOut.clear()
    answerWith(request, { ...head, fields }, null, [])
    noteOutcome(request, config, reason === null ? 'revalidate' : 'miss', note)
    const met = request.meetsConditions()
    if (met === OK) return storedBody(found)
    request.status = met
    return EMPTY
  }

  #headOf(request: Request, fields: FieldList, control: CacheControl, config: Readonly<CacheConfig>): OriginHead {
    const responseTime = Date.now()
    const date = dateOf(fields, responseTime)
    const ignored = new Set(this.#serverOf(request).ignoredHeaders)
    return {
      status: request.status,
      fields: storableFields(fields, [ignored, control.hiddenFields]),
      date,
      expires: expiryOf(fields, control, config, date),
      requestTime: request.receivedAt,
      responseTime,
    }
  }

  #serverOf({ server }: Request): Readonly<CacheServerConfig> {
    return this.#host.serverConfigOf(server)
  }
}

/** What is known without the request that a response answers. */
type OriginHead = Omit<StoredHead, 'requestFields' | 'headerOnly'>

/** Nobody reads this body. */
export function discardBody(body: FilteredBody): void {
  if (!(body instanceof Uint8Array)) void body[Symbol.asyncIterator]().return?.(undefined)
}

function controlOf(fields: FieldList): CacheControl {
  return parseCacheControl(fieldOf(fields, 'Cache-Control'), fieldOf(fields, 'Pragma'))
}

function dateOf(fields: FieldList, now: number): number {
  return parseHttpDate(fieldOf(fields, 'Date') ?? '') ?? now
}

/** A response to HEAD is stored with the length that is sent. */
function withLength(fields: FieldList, { headerOnly }: Request, body: Uint8Array | StoredStream): FieldList {
  const length = body instanceof Uint8Array ? body.length : body.contentLength
  return headerOnly && length !== undefined ? [...fields, ['Content-Length', String(length)]] : fields
}

/** A modification in the future counts as one at the time of the response. */
function datedFields(fields: FieldList, { receivedAt }: Request): FieldList {
  const date = dateOf(fields, receivedAt)
  const modified = parseHttpDate(fieldOf(fields, 'Last-Modified') ?? '')
  return modified === undefined || modified <= date ? fields : updatedFields(fields, [['Last-Modified', httpDate(date)]])
}

function mayReplaceErrors({ stated }: StaleResponse, { staleOnError = true }: Readonly<CacheConfig>): boolean {
  return staleOnError && !stated.mustRevalidate && !stated.proxyRevalidate
}

async function firstWriter(
  request: Request,
  { key, storages }: Pending,
  head: StoredHead,
  length: number | null,
): Promise<ResponseWriter | null> {
  for (const storage of storages) {
    const writer = await storage.store(request, key, head, length)
    if (writer !== null) return writer
  }
  return null
}
