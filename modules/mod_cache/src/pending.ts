import type { Request, ResponseStorage, StoredResponse } from '@gatewright/api'
import type { CacheControl } from './cache-control.ts'
import { CONDITION_FIELDS } from './conditions.ts'
import type { FieldList } from './fields.ts'
import type { StoredStream } from './stored-stream.ts'

/** A response that its origin is asked about. */
export interface StaleResponse {
  readonly storage: ResponseStorage
  readonly found: StoredResponse
  readonly stated: CacheControl
}

/** What is to be done with the response of a request that the cache could not answer. */
export interface Pending {
  /** `placed`: to be stored at the place of the filter CACHE. */
  readonly kind: 'store' | 'placed' | 'invalidate'
  readonly key: string
  /** The fields of the request as they were when it was looked up. */
  readonly fields: FieldList
  readonly storages: readonly ResponseStorage[]
  readonly stale: StaleResponse | null
  /** What the client sent in place of the conditions of the cache; null if they are its own, or have been put back. */
  sent: ReadonlyMap<string, string | undefined> | null
  /** The body that passed the filter; null before, and for an error page. */
  captured: Uint8Array | StoredStream | null
  isDone: boolean
}

/** Replaces the conditions of a request by those that ask whether a stored response is still up to date. */
export function askAbout(request: Request, { head: { fields } }: StoredResponse): ReadonlyMap<string, string | undefined> {
  const { headersIn } = request
  const sent = new Map(CONDITION_FIELDS.map((name) => [name, headersIn.get(name)]))
  const etag = fields.find(([name]) => name.toLowerCase() === 'etag')?.[1]
  const lastModified = fields.find(([name]) => name.toLowerCase() === 'last-modified')?.[1]
  const isAsked = etag !== undefined || lastModified !== undefined
  for (const name of CONDITION_FIELDS) if (name !== 'Range' || isAsked) headersIn.delete(name)
  if (etag !== undefined) headersIn.set('If-None-Match', etag)
  if (lastModified !== undefined) headersIn.set('If-Modified-Since', lastModified)
  return sent
}

/** Puts the conditions back that the client sent. */
export function restoreConditions({ headersIn }: Request, pending: Pending): void {
  const { sent } = pending
  if (sent === null) return
  pending.sent = null
  for (const [name, value] of sent) {
    if (value === undefined) headersIn.delete(name)
    else headersIn.set(name, value)
  }
}
