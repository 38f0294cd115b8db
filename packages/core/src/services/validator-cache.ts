import { statSync } from 'node:fs'
import type { FileInfo } from '@gatewright/api'
import { LRUCache } from 'lru-cache'
import { fileEtag, lastModified } from '../base/etag.ts'
import { ETAG_DIGEST } from '../base/etag-bits.ts'
import { fsPath } from '../base/file-info.ts'
import { isSettled, sameVersion } from '../base/file-version.ts'
import { SMALL_FILE } from './file-cache.ts'
import type { FileDigests } from './file-digests.ts'

/** The validators of a file's version, with which a client can ask whether its copy is current. */
export interface Validators {
  readonly lastModified: string
  readonly etag: string | null
  /** Bytes, as text. */
  readonly length: string
}

interface Known extends Validators {
  readonly info: FileInfo
  readonly bits: number
}

/** Number of cached files. */
const MAX_FILES = 10_000

/** Validators of files, computed once per version. */
export class ValidatorCache {
  readonly #digests: FileDigests
  readonly #known = new LRUCache<string, Known>({ max: MAX_FILES })

  constructor(digests: FileDigests) {
    this.#digests = digests
  }

  /**
   * @param bits parts of the ETag, as FileETag defines
   * @param digest of a file, null if it is not available; if absent, the digest of a small file is computed,
   * and a large file has no tag
   * @throws the system's error if a digest is required and the file cannot be read
   */
  of(path: string, info: FileInfo, bits: number, nowMs: number, digest?: string | null): Validators {
    // A recent version has a weak tag that becomes strong, or a date in the future.
    const settled = isSettled(info, nowMs)
    const known = this.#known.get(path)
    if (settled && known !== undefined && known.bits === bits && sameVersion(known.info, info)) return known
    const etag =
      (bits & ETAG_DIGEST) === 0
        ? fileEtag(info, bits, nowMs, exactMicroseconds(path, info))
        : digestTag(digest === undefined ? this.#atOnce(path, info) : digest)
    const made: Known = { info, bits, etag, lastModified: lastModified(info, nowMs), length: String(info.size) }
    if (settled && (etag !== null || bits === 0)) this.#known.set(path, made)
    return made
  }

  #atOnce(path: string, info: FileInfo): string | null {
    if (info.kind !== 'file' || info.size > SMALL_FILE) return null
    const digest = this.#digests.of(path, info, 'sha1')
    return typeof digest === 'string' ? digest : null
  }
}

function digestTag(digest: string | null): string | null {
  return digest === null ? null : `"${digest}"`
}

/** The modification time as the system reports it; undefined if the file has changed since. */
function exactMicroseconds(path: string, info: FileInfo): number | undefined {
  try {
    const now = statSync(fsPath(path), { bigint: true, throwIfNoEntry: false })
    if (now === undefined || Number(now.mtimeNs / NANOSECONDS_PER_MS) !== Math.trunc(info.mtimeMs)) return undefined
    return Number(now.mtimeNs / NANOSECONDS_PER_US)
  } catch {
    return undefined
  }
}

const NANOSECONDS_PER_MS = 1_000_000n
const NANOSECONDS_PER_US = 1000n
