import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { FileInfo, ModuleHost, Request, ResponseStorage, ResponseWriter, StoredHead, StoredResponse } from '@gatewright/api'
import {
  bytesOf,
  decodeRecord,
  encodeRecord,
  headFile,
  MAX_RECORD,
  newBodyName,
  Places,
  type StoredRecord,
  variantKey,
  varyNames,
} from '@gatewright/disk-cache'
import { BodyWriter } from './body-writer.ts'
import {
  type DiskConfig,
  type DiskServerConfig,
  STANDARD_LENGTH,
  STANDARD_LEVELS,
  STANDARD_MAX_SIZE,
  STANDARD_MIN_SIZE,
} from './config.ts'
import type { Remains } from './remains.ts'

/** httpd's error for a head that ends too early. */
const CUT = { code: 70014, text: 'End of file found' }
const EMPTY = new Uint8Array(0)

/** Keeps each response in two files below CacheRoot: its head, which is replaced at once, and its body, which never changes. */
export class DiskStorage implements ResponseStorage {
  readonly #host: ModuleHost<DiskConfig, DiskServerConfig>
  readonly #remains: Remains
  /** httpd reports a missing CacheRoot once. */
  #isReported = false

  constructor(host: ModuleHost<DiskConfig, DiskServerConfig>, remains: Remains) {
    this.#host = host
    this.#remains = remains
  }

  find(request: Request, key: string): StoredResponse | null {
    const places = this.#placesOf(request)
    if (places === null) return null
    let path = places.of(key)
    let record = this.#read(request, path, key)
    if (record?.kind === 'vary') {
      const variant = variantKey(record, [...request.headersIn])
      path = places.of(variant)
      record = this.#read(request, path, variant)
    }
    if (record?.kind !== 'response') return null
    const { head, body } = record
    if (head === null) {
      // Neither the fields of the response nor those of the request are there.
      for (let tables = 0; tables < 2; tables++) this.#reportCut(request)
      return null
    }
    if (body === null) return { head, body: EMPTY }
    const file = join(dirname(path), body.name)
    const info = infoOf(file)
    return info === null || info.size !== body.size ? null : { head, body: { path: file, info } }
  }

  store(request: Request, key: string, head: StoredHead, length: number | null): Promise<ResponseWriter | null> {
    const places = this.#placesOf(request)
    const { minSize = STANDARD_MIN_SIZE, maxSize = STANDARD_MAX_SIZE } = this.#host.configOf(request)
    if (places === null || (length !== null && !head.headerOnly && (length > maxSize || length < minSize))) {
      return Promise.resolve(null)
    }
    const writer = new BodyWriter(places.aside(), { minSize, maxSize, isEmpty: head.headerOnly }, (file, size) =>
      this.#commit(request, places, key, head, file, size),
    )
    return Promise.resolve({
      write: (bytes) => this.#tried(request, writer, false, async () => writer.write(bytes)),
      commit: () =>
        this.#tried(request, writer, undefined, async () => {
          await writer.commit()
          return undefined
        }),
      abort: () => writer.abort(),
    })
  }

  refresh(request: Request, key: string, found: StoredResponse, head: StoredHead): Promise<boolean> {
    const places = this.#placesOf(request)
    if (places === null) return Promise.resolve(false)
    const list = this.#read(request, places.of(key), key)
    const ownKey = list?.kind === 'vary' ? variantKey(list, head.requestFields) : key
    const path = places.of(ownKey)
    const record = this.#read(request, path, ownKey)
    // Another request has replaced it since.
    if (record?.kind !== 'response' || record.head === null || record.head.responseTime !== found.head.responseTime) {
      return Promise.resolve(false)
    }
    return Promise.resolve(this.#write(request, places, path, { ...record, head }))
  }

  invalidate(request: Request, key: string): Promise<boolean> {
    const places = this.#placesOf(request)
    if (places === null) return Promise.resolve(false)
    const path = places.of(key)
    const record = this.#read(request, path, key)
    if (record === null || (record.kind === 'response' && record.head === null)) return Promise.resolve(false)
    this.#forgetBody(path, record)
    // Without the list of fields, no variant is found.
    if (!this.#write(request, places, path, { kind: 'response', key, head: null, body: null })) {
      removeFile(headFile(path))
    }
    return Promise.resolve(true)
  }

  remove(request: Request, key: string): Promise<void> {
    const places = this.#placesOf(request)
    if (places === null) return Promise.resolve()
    const path = places.of(key)
    this.#forgetBody(path, this.#read(request, path, key))
    removeFile(headFile(path))
    return Promise.resolve()
  }

  /** Puts a complete body in its place, then its head, which makes it known. */
  #commit(request: Request, places: Places, key: string, head: StoredHead, aside: string | null, size: number): void {
    const names = varyNames(head)
    const former = this.#read(request, places.of(key), key, 'quiet')
    const isListed = former?.kind === 'vary' && former.names.join() === names.join()
    const list = isListed ? former : ({ kind: 'vary', key, names, generation: randomBytes(9).toString('base64url') } as const)
    const ownKey = names.length === 0 ? key : variantKey(list, head.requestFields)
    const path = places.of(ownKey)
    const before = this.#read(request, path, ownKey, 'quiet')
    const name = aside === null ? null : newBodyName(path)
    mkdirSync(bytesOf(dirname(path)), { recursive: true, mode: 0o700 })
    if (aside !== null && name !== null) renameSync(bytesOf(aside), bytesOf(join(dirname(path), name)))
    const body = name === null ? null : { name, size }
    if (!this.#write(request, places, path, { kind: 'response', key: ownKey, head, body })) {
      if (name !== null) removeFile(join(dirname(path), name))
      return
    }
    this.#forgetBody(path, before)
    if (names.length === 0 || isListed) return
    this.#write(request, places, places.of(key), list)
    this.#forgetBody(places.of(key), former)
  }

  #write(request: Request, places: Places, path: string, record: StoredRecord): boolean {
    const bytes = encodeRecord(record)
    if (bytes.length > MAX_RECORD) return false
    const aside = places.aside()
    try {
      mkdirSync(bytesOf(dirname(path)), { recursive: true, mode: 0o700 })
      writeFileSync(bytesOf(aside), bytes, { mode: 0o600, flag: 'wx' })
      renameSync(bytesOf(aside), bytesOf(headFile(path)))
      return true
    } catch (error) {
      removeFile(aside)
      this.#report(request, error)
      return false
    }
  }

  #read(request: Request, path: string, key: string, damage: 'reported' | 'quiet' = 'reported'): StoredRecord | null {
    const file = headFile(path)
    const info = infoOf(file)
    if (info === null) return null
    let record: StoredRecord | null = null
    try {
      if (info.size <= MAX_RECORD) record = decodeRecord(readFileSync(bytesOf(file)))
    } catch {
      // It is damaged, or has gone since.
    }
    if (record === null && damage === 'reported') this.#reportCut(request)
    return record !== null && record.key === key ? record : null
  }

  #forgetBody(path: string, record: StoredRecord | null): void {
    if (record?.kind === 'response' && record.body !== null) this.#remains.remove(join(dirname(path), record.body.name))
  }

  async #tried<T>(request: Request, writer: BodyWriter, failed: T, write: () => Promise<T>): Promise<T> {
    try {
      return await write()
    } catch (error) {
      await writer.abort()
      this.#report(request, error)
      return failed
    }
  }

  #report(request: Request, error: unknown): void {
    const cause = error instanceof Error ? error : new Error(String(error))
    this.#host.log.write(request, 'warn', '', 'the response is not cached, because it cannot be written below CacheRoot', cause)
  }

  #reportCut(request: Request): void {
    this.#host.log.write(request, 'error', 'AH00717', 'Premature end of cache headers.', CUT)
  }

  #placesOf(request: Request): Places | null {
    const config = this.#host.serverConfigOf(request.server)
    // In httpd, one directive of the module in a virtual host hides those of the main server.
    const isHidden = config.isOfHost !== true && this.#host.defaultsOf(request.server).isOfHost === true
    const { root, levels = STANDARD_LEVELS, length = STANDARD_LENGTH } = config
    if (root !== undefined && !isHidden) return new Places(root, levels, length)
    if (!this.#isReported)
      this.#host.log.write(request, 'error', 'AH00703', 'Cannot cache files to disk without a CacheRoot specified.')
    this.#isReported = true
    return null
  }
}

/** @returns null for what is no file, or cannot be reached */
function infoOf(path: string): FileInfo | null {
  let found: Stats | undefined
  try {
    found = statSync(bytesOf(path), { throwIfNoEntry: false })
  } catch {
    return null
  }
  if (found === undefined || !found.isFile()) return null
  const { size, mtimeMs, ino, dev, mode, uid, gid } = found
  return { kind: 'file', size, mtimeMs, inode: ino, device: dev, mode, uid, gid }
}

/** What cannot be removed is not worth a failed request: nothing leads to it any more, or it is found again as it is. */
function removeFile(path: string): void {
  try {
    rmSync(bytesOf(path), { force: true })
  } catch {
    // The folder may have become read-only.
  }
}
