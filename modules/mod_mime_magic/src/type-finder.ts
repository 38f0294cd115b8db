import { type FileHandle, open } from 'node:fs/promises'
import {
  DECLINED,
  HTTP_INTERNAL_SERVER_ERROR,
  type MaybePromise,
  type ModuleLog,
  OK,
  type Outcome,
  type Request,
} from '@gatewright/api'
import { DamagedArchive, LOOKED_AT, typeOf } from './content-type.ts'
import type { MagicEntry } from './magic-entry.ts'
import type { MagicFiles } from './magic-files.ts'

/** What httpd logs when a program that decompresses a file writes nothing. */
const END_OF_FILE = { code: 70_014, text: 'End of file found' } as const

/** Sets the type of a request whose file no other module knows. */
export class TypeFinder {
  readonly #files: MagicFiles
  readonly #log: ModuleLog

  constructor(files: MagicFiles, log: ModuleLog) {
    this.#files = files
    this.#log = log
  }

  find(request: Request): MaybePromise<Outcome> {
    if (request.fileInfo === null || request.contentType !== null) return DECLINED
    const entries = this.#files.of(request.server)
    if (entries === null) return DECLINED
    if (request.fileInfo.kind !== 'file') return typeOfOther(request)
    return /@\d+$/.test(request.filename) ? this.#findWithRevision(request, entries) : this.#findByContent(request, entries)
  }

  /** A name such as `page.html@12` is that of an old version of a file: it has the type of the name without number. */
  async #findWithRevision(request: Request, entries: readonly MagicEntry[]): Promise<Outcome> {
    const other = await request.lookupFile(request.filename.replace(/@\d+$/, ''))
    if (other.contentType === null) return this.#findByContent(request, entries)
    request.contentType = other.contentType
    if (other.contentEncoding !== null) request.contentEncoding = other.contentEncoding
    return OK
  }

  async #findByContent(request: Request, entries: readonly MagicEntry[]): Promise<Outcome> {
    const { filename } = request
    let file: FileHandle
    try {
      file = await open(Buffer.from(filename, 'latin1'))
    } catch (error) {
      if (!(error instanceof Error)) throw error
      this.#log.write(request, 'error', 'AH01512', `mod_mime_magic: can't read \`${filename}'`, error)
      return DECLINED
    }
    try {
      const start = Buffer.alloc(LOOKED_AT)
      const { bytesRead } = await file.read(start, 0, LOOKED_AT, 0)
      const { type, encoding } = await typeOf(entries, start.subarray(0, bytesRead))
      if (type !== '') request.contentType = type.toLowerCase()
      if (encoding !== '') request.contentEncoding = encoding.toLowerCase()
      return type === '' && encoding === '' ? DECLINED : OK
    } catch (error) {
      if (error instanceof DamagedArchive) {
        const text = `mod_mime_magic: read failed from uncompress of ${filename}`
        this.#log.write(request, 'error', 'AH01554', text, END_OF_FILE)
        return DECLINED
      }
      if (!(error instanceof Error)) throw error
      this.#log.write(request, 'error', 'AH01513', `mod_mime_magic: read failed: ${filename}`, error)
      return HTTP_INTERNAL_SERVER_ERROR
    } finally {
      await file.close()
    }
  }
}

function typeOfOther(request: Request): Outcome {
  request.contentType = request.fileInfo?.kind === 'directory' ? 'httpd/unix-directory' : 'application/octet-stream'
  return OK
}
