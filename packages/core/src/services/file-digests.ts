import { createHash } from 'node:crypto'
import type { FileInfo } from '@gatewright/api'
import { LRUCache } from 'lru-cache'
import { isSettled, sameVersion } from '../base/file-version.ts'
import type { FileBlocks } from './file-blocks.ts'
import { type FileCache, SMALL_FILE } from './file-cache.ts'

export type DigestAlgorithm = 'sha1' | 'md5'

/** Number of cached digests. */
const MAX_DIGESTS = 10_000

interface KnownDigest {
  readonly info: FileInfo
  readonly digest: string
}

/**
 * Digests of files in base64. The digest of a large file is computed block by block while other requests are
 * served, and once for all concurrent callers.
 */
export class FileDigests {
  readonly #files: FileCache
  readonly #blocks: FileBlocks
  readonly #known = new LRUCache<string, KnownDigest>({ max: MAX_DIGESTS })
  readonly #underWay = new Map<string, { readonly info: FileInfo; readonly digest: Promise<string> }>()

  constructor(files: FileCache, blocks: FileBlocks) {
    this.#files = files
    this.#blocks = blocks
  }

  /**
   * The digest of this version of a file; a promise if the file is large and its digest is not cached.
   * @throws the system's error if the file cannot be read; the promise rejects with it
   */
  of(path: string, info: FileInfo, algorithm: DigestAlgorithm): string | Promise<string> {
    if (info.size <= SMALL_FILE) {
      return createHash(algorithm).update(this.#files.small(path, info).content).digest('base64')
    }
    const key = `${algorithm} ${path}`
    const known = this.#known.get(key)
    if (known !== undefined && sameVersion(known.info, info)) return known.digest
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined && sameVersion(underWay.info, info)) return underWay.digest
    const settled = isSettled(info, Date.now())
    const digest = this.#compute(path, algorithm)
    const entry = { info, digest }
    this.#underWay.set(key, entry)
    const forget = (): void => {
      if (this.#underWay.get(key) === entry) this.#underWay.delete(key)
    }
    digest.then((value) => {
      forget()
      if (settled) this.#known.set(key, { info, digest: value })
    }, forget)
    return digest
  }

  async #compute(path: string, algorithm: DigestAlgorithm): Promise<string> {
    const hash = createHash(algorithm)
    await this.#blocks.read(path, (block) => void hash.update(block))
    return hash.digest('base64')
  }
}
