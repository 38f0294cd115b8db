import { accessSync, constants, openSync, readFileSync } from 'node:fs'
import type { FileInfo } from '@gatewright/api'
import { LRUCache } from 'lru-cache'
import { fsPath, sameVersion } from '../request/file-info.ts'

/** Files up to this size are kept in memory; larger ones are read in blocks while they are sent. */
export const SMALL_FILE: number = 64 * 1024

/** Memory for the contents of files, in bytes per process. */
const MAX_MEMORY = 64 * 1024 * 1024

/** A pipe that took the file's place since it was looked at must not hold up the process until somebody writes to it. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK

/** See sections/htaccess.ts: a version this young when it was read may change without a trace. */
const UNTRUSTED_AGE = 2000

interface CachedFile {
  readonly info: FileInfo
  readonly content: Buffer
  readonly trusted: boolean
}

/** Contents of small files, validated by the stat that every request makes anyway. */
export class FileCache {
  private readonly files = new LRUCache<string, CachedFile>({
    maxSize: MAX_MEMORY,
    sizeCalculation: ({ content }) => content.length + 1024,
  })

  /** The system's error when the file may not be read, else undefined; small files are read by it. */
  check(path: string, info: FileInfo): Error | undefined {
    if (info.size <= SMALL_FILE) {
      const known = this.files.get(path)
      if (known?.trusted && sameVersion(known.info, info)) return undefined
    }
    try {
      if (info.size > SMALL_FILE) accessSync(fsPath(path), constants.R_OK)
      else this.read(path, info)
      return undefined
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error))
    }
  }

  /** Content of a small file that `check` let pass. @throws the system's error */
  content(path: string, info: FileInfo): Buffer {
    const known = this.files.get(path)
    return known !== undefined && sameVersion(known.info, info) ? known.content : this.read(path, info)
  }

  /** All of a file of any size, for digests. @throws the system's error */
  wholeContent(path: string, info: FileInfo): Buffer {
    return info.size <= SMALL_FILE ? this.content(path, info) : readFileSync(fsPath(path), { flag: READ })
  }

  /** @throws the system's error */
  open(path: string): number {
    return openSync(fsPath(path), READ)
  }

  private read(path: string, info: FileInfo): Buffer {
    const content = readFileSync(fsPath(path), { flag: READ })
    this.files.set(path, { info, content, trusted: Date.now() - info.mtimeMs > UNTRUSTED_AGE && content.length === info.size })
    return content
  }
}
