import type { MaybePromise } from './outcome.ts'
import { type ProviderGroupKey, providerGroup } from './providers.ts'
import type { FileBody, Request } from './request.ts'

/**
 * What a cache keeps of a response besides its body. Text has one character per byte; times are milliseconds since 1970.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface StoredHead {
  /** The status of the response. */
  readonly status: number
  /** Its fields in order, with Content-Type. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Those fields of the request that its Vary names. */
  readonly requestFields: readonly (readonly [name: string, value: string])[]
  /** When it was made. */
  readonly date: number
  /** When it becomes stale. */
  readonly expires: number
  /** When the request was received. */
  readonly requestTime: number
  /** When the response arrived. */
  readonly responseTime: number
  /** Whether it answered HEAD, so that there is no body. */
  readonly headerOnly: boolean
}

/**
 * A response that was found.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface StoredResponse {
  /** What it states. */
  readonly head: StoredHead
  /** Bytes, or a file that stays as it is while the response is sent. Empty for HEAD. */
  readonly body: Uint8Array | FileBody
}

/**
 * Receives the body of a response that is being stored. Nobody finds the response before `commit`.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ResponseWriter {
  /**
   * Keeps the next bytes.
   * @returns false if the response will not be stored, because it is too long or the storage fails, which is logged. No
   *   other function is called then
   */
  write(bytes: Uint8Array): MaybePromise<boolean>
  /** The body is complete: the response replaces the one before. A failure is logged. */
  commit(): Promise<void>
  /** Forgets the response. */
  abort(): Promise<void>
}

/**
 * A kind of storage of mod_cache: `disk` for example. No function rejects because of the system: what cannot be read is not
 * found, and failures to write are logged. A damaged response is not found, never a wrong one.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ResponseStorage {
  /**
   * Finds the response for a key, and for the fields of the request that its Vary names.
   * @param key the URL, and what else must not be shared
   */
  find(request: Request, key: string): MaybePromise<StoredResponse | null>
  /**
   * Begins to store a response.
   * @param length of the body in bytes; null if it is not known
   * @returns null if it is not to be stored
   */
  store(request: Request, key: string, head: StoredHead, length: number | null): Promise<ResponseWriter | null>
  /**
   * Replaces the head of a response that was found and is still up to date.
   * @returns whether it was replaced
   */
  refresh(request: Request, key: string, found: StoredResponse, head: StoredHead): Promise<boolean>
  /**
   * Notes that a request like POST has changed the resource: the response and its variants are not found again.
   * @returns whether there is one
   */
  invalidate(request: Request, key: string): Promise<boolean>
  /** Removes the response. */
  remove(request: Request, key: string): Promise<void>
}

/**
 * The kinds of storage by the names that CacheEnable uses.
 * @since 2.4.6
 */
export const responseStorages: ProviderGroupKey<ResponseStorage> = providerGroup('mod_cache:storage')
