import { accessSync, constants, readFileSync } from 'node:fs'
import type { FileBody, FileInfo } from '@gatewright/api'
import { LRUCache } from 'lru-cache'
import { fsPath } from '../base/file-info.ts'
import { isSettled, sameVersion } from '../base/file-version.ts'
import type { RepeatedBody } from '../model/repeated-body.ts'
import type { ResponseImage } from '../model/response-image.ts'
import { READ_WITHOUT_WAITING } from './read-whole.ts'

/** Files up to this size are kept in memory; larger ones are read in blocks while they are sent. */
export const SMALL_FILE: number = 64 * 1024

/** Memory for the contents of files, in bytes per process. */
const MAX_MEMORY = 64 * 1024 * 1024

/** One version of a small file in memory; also the body of the responses that send it. */
export class SmallFile implements FileBody, RepeatedBody {
  readonly path: string
  readonly info: FileInfo
  readonly content: Buffer
  readonly trusted: boolean
  image: ResponseImage | null = null
  sentOn = ''

  constructor(path: string, info: FileInfo, content: Buffer) {
    this.path = path
    this.info = info
    this.content = content
    this.trusted = isSettled(info, Date.now()) && content.length === info.size
  }
}

/** Contents of small files, validated by the stat that every request makes anyway. */
export class FileCache {
  readonly #files = new LRUCache<string, SmallFile>({
    maxSize: MAX_MEMORY,
    // With the image of a response, the content is in memory twice.
    sizeCalculation: ({ content }) => 2 * content.length + 2048,
  })

  /**
   * What a response sends of a file: a small file's content, a large file's name, or the system's error if it
   * cannot be read.
   */
  body(path: string, info: FileInfo): FileBody | Error {
    try {
      if (info.size <= SMALL_FILE) return this.small(path, info)
      accessSync(fsPath(path), constants.R_OK)
      return { path, info }
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  /** A file of at most SMALL_FILE bytes. @throws the system's error */
  small(path: string, info: FileInfo): SmallFile {
    const known = this.#files.get(path)
    if (known?.trusted && sameVersion(known.info, info)) return known
    const file = new SmallFile(path, info, readFileSync(fsPath(path), { flag: READ_WITHOUT_WAITING }))
    this.#files.set(path, file)
    return file
  }
}
