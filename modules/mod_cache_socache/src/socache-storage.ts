import { createHash, randomBytes } from 'node:crypto'
import type {
  ModuleHost,
  Request,
  ResponseStorage,
  ResponseWriter,
  Server,
  SharedStore,
  StoredHead,
  StoredResponse,
} from '@gatewright/api'
import { encodeRecord, MAX_RECORD, type StoredRecord, variantKey, varyNames } from '@gatewright/disk-cache'
import {
  type SocacheConfig,
  type SocacheServerConfig,
  STANDARD_MAX_SIZE,
  STANDARD_MAX_TIME,
  STANDARD_MIN_TIME,
} from './config.ts'
import { decodeEntry, type Entry, encodeEntry } from './entry.ts'

const EMPTY = new Uint8Array(0)

/** Keeps each response, head and body, as one entry of a shared cache. */
export class SocacheStorage implements ResponseStorage {
  readonly #host: ModuleHost<SocacheConfig, SocacheServerConfig>
  readonly #stores = new Map<Server, SharedStore>()

  constructor(host: ModuleHost<SocacheConfig, SocacheServerConfig>) {
    this.#host = host
  }

  /** Opens the caches of servers; servers with the same CacheSocache line share one. */
  open(servers: readonly Server[]): void {
    const opened = new Map<NonNullable<SocacheServerConfig['open']>, SharedStore>()
    for (const server of servers) {
      const { open } = this.#host.serverConfigOf(server)
      if (open === undefined) continue
      const store = opened.get(open) ?? open(opened.size === 0 ? 'cache-socache' : `cache-socache-${opened.size + 1}`)
      opened.set(open, store)
      this.#stores.set(server, store)
    }
  }

  async find(request: Request, key: string): Promise<StoredResponse | null> {
    const store = this.#stores.get(request.server)
    if (store === undefined) return null
    let entry = await this.#read(request, store, key)
    if (entry?.record.kind === 'vary') {
      entry = await this.#read(request, store, variantKey(entry.record, [...request.headersIn]))
    }
    if (entry?.record.kind !== 'response' || entry.record.head === null) return null
    return { head: entry.record.head, body: entry.body }
  }

  store(request: Request, key: string, head: StoredHead, length: number | null): Promise<ResponseWriter | null> {
    const store = this.#stores.get(request.server)
    const { maxSize = STANDARD_MAX_SIZE } = this.#host.configOf(request)
    if (store === undefined) return Promise.resolve(null)
    if (length === null && !head.headerOnly) {
      this.#debug(request, 'AH02346', `URL '${request.uri}' had no explicit size, ignoring`)
      return Promise.resolve(null)
    }
    if (!head.headerOnly && length !== null && length > maxSize) {
      this.#debug(request, 'AH02347', `URL '${request.uri}' body larger than limit, ignoring (${length} > ${maxSize})`)
      return Promise.resolve(null)
    }
    const parts: Uint8Array[] = []
    let size = 0
    return Promise.resolve({
      write: (bytes) => {
        size += bytes.length
        // The source may use its memory again.
        if (size <= maxSize) parts.push(Uint8Array.from(bytes))
        return size <= maxSize
      },
      commit: () => this.#commit(request, store, key, head, Buffer.concat(parts)),
      abort: () => Promise.resolve(),
    })
  }

  async refresh(request: Request, key: string, found: StoredResponse, head: StoredHead): Promise<boolean> {
    const store = this.#stores.get(request.server)
    if (store === undefined) return false
    const list = await this.#read(request, store, key)
    const ownKey = list?.record.kind === 'vary' ? variantKey(list.record, head.requestFields) : key
    const entry = await this.#read(request, store, ownKey)
    // Another request has replaced it since.
    if (entry?.record.kind !== 'response' || entry.record.head?.responseTime !== found.head.responseTime) return false
    return this.#write(request, store, { record: { ...entry.record, head }, body: entry.body }, head)
  }

  async invalidate(request: Request, key: string): Promise<boolean> {
    const store = this.#stores.get(request.server)
    if (store === undefined || (await this.#read(request, store, key)) === null) return false
    // Without the list of fields, no variant is found.
    store.delete(nameOf(key))
    return true
  }

  remove(request: Request, key: string): Promise<void> {
    this.#stores.get(request.server)?.delete(nameOf(key))
    return Promise.resolve()
  }

  async #commit(request: Request, store: SharedStore, key: string, head: StoredHead, body: Uint8Array): Promise<void> {
    const names = varyNames(head)
    const former = (await this.#read(request, store, key))?.record
    const isListed = former?.kind === 'vary' && former.names.join() === names.join()
    const list = isListed ? former : ({ kind: 'vary', key, names, generation: randomBytes(9).toString('base64url') } as const)
    const ownKey = names.length === 0 ? key : variantKey(list, head.requestFields)
    const record: StoredRecord = { kind: 'response', key: ownKey, head, body: null }
    if (!this.#write(request, store, { record, body }, head)) return
    // The list lasts as long as the variant that was stored last.
    if (names.length > 0) this.#write(request, store, { record: list, body: EMPTY }, head)
  }

  #write(request: Request, store: SharedStore, entry: Entry, { expires }: StoredHead): boolean {
    if (encodeRecord(entry.record).length > MAX_RECORD) return false
    const { minTime = STANDARD_MIN_TIME, maxTime = STANDARD_MAX_TIME } = this.#host.configOf(request)
    const lifetime = Math.min(Math.max(expires - Date.now(), minTime * 1000), maxTime * 1000)
    if (lifetime <= 0) return false
    store.set(nameOf(entry.record.key), encodeEntry(entry), lifetime)
    return true
  }

  async #read(request: Request, store: SharedStore, key: string): Promise<Entry | null> {
    const bytes = await store.get(nameOf(key))
    if (bytes === undefined) return null
    const entry = decodeEntry(bytes)
    if (entry === null) this.#host.log.write(request, 'error', 'AH02344', 'Premature end of cache headers.')
    return entry !== null && entry.record.key === key ? entry : null
  }

  #debug(request: Request, code: string, text: string): void {
    this.#host.log.write(request, 'debug', code, text)
  }
}

/** Caches limit the length of keys. */
function nameOf(key: string): string {
  return createHash('sha256').update(key, 'latin1').digest('base64url')
}
