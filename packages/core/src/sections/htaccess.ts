import type { FileInfo, MaybePromise } from '@gatewright/api'
import { LRUCache } from 'lru-cache'
import { isSettled, sameVersion } from '../base/file-version.ts'
import type { ConfigServicesImpl } from '../config/config-services.ts'
import { NO_GRANT, type OverrideGrant } from '../model/directory-config.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { ServerRecord } from '../model/server-record.ts'
import { readWhole } from '../services/read-whole.ts'
import { RequestWork, STANDARD_COMPUTING_TIME } from '../work/request-work.ts'
import type { TurnQueue } from '../work/turn-queue.ts'
import { type HtaccessContent, HtaccessParse } from './htaccess-parse.ts'
import type { HtaccessRules } from './read-htaccess.ts'

interface CachedHtaccess {
  readonly info: FileInfo
  readonly readAt: number
  /** Length of the file's text. */
  readonly length: number
  /** Kept only while the file's version cannot be trusted; otherwise null. */
  readonly text: string | null
  readonly grant: OverrideGrant | undefined
  readonly list: ReadonlySet<string> | undefined
  readonly content: HtaccessContent
}

/** A version of a file that takes long to read. */
interface Reading {
  readonly file: HtaccessRules & { readonly text: string }
  readonly parse: HtaccessParse
  /** The pending result, null until a request waits for it. */
  whole: Promise<HtaccessContent> | null
}

/**
 * Limits of the cache per configuration, in files and in bytes of text: a parsed file takes many times as much
 * memory.
 */
const MAX_FILES = 5_000
const MAX_REMEMBERED = 32 * 1024 * 1024

/**
 * A larger file is not read, because a user with write access to it could exhaust the memory of the shared
 * server.
 */
const MAX_FILE = 16 * 1024 * 1024

/**
 * The .htaccess files that requests used, parsed once per version of the file and per value of AllowOverride.
 */
export class HtaccessCache {
  readonly #configuration: ServerConfiguration
  readonly #services: ConfigServicesImpl
  readonly #files = new LRUCache<string, CachedHtaccess>({
    max: MAX_FILES,
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ length }) => length + 1,
  })
  readonly #readings = new Map<string, Reading>()
  readonly #turns: TurnQueue
  readonly #assumed: ReadonlyMap<string, string>

  /** @param assumed texts that replace the content of the files, by path */
  constructor(
    configuration: ServerConfiguration,
    services: ConfigServicesImpl,
    turns: TurnQueue,
    assumed: ReadonlyMap<string, string> = NO_TEXTS,
  ) {
    this.#configuration = configuration
    this.#services = services
    this.#turns = turns
    this.#assumed = assumed
  }

  /**
   * Returns a promise if the file takes long to read: all requests that wait for a version of it share one
   * read.
   * @param info the current result of stat for the file
   * @param cannotWait reads on in one pass, as far as other work can be delayed
   * @throws the system's error if the file cannot be read
   */
  content(
    path: string,
    info: FileInfo,
    server: ServerRecord,
    grant: OverrideGrant | undefined,
    list: ReadonlySet<string> | undefined,
    cannotWait: boolean,
  ): MaybePromise<HtaccessContent> {
    const key = `${server.line}\0${server.file}\0${path}`
    const known = this.#files.get(key)
    const sameRules = known !== undefined && known.grant === grant && known.list === list
    if (known !== undefined && sameRules && sameVersion(known.info, info) && isSettled(info, known.readAt)) return known.content
    const readAt = Date.now()
    const text = this.#assumed.get(path) ?? readWhole(path, MAX_FILE)?.toString('latin1')
    if (text === undefined) return TOO_LARGE
    const settled = isSettled(info, readAt)
    const keep = (content: HtaccessContent): HtaccessContent => {
      this.#files.set(key, { info, readAt, length: text.length, text: settled ? null : text, grant, list, content })
      return content
    }
    if (known !== undefined && sameRules && known.text === text) return keep(known.content)
    const reading = this.#reading(key, { path, server, grant: grant ?? NO_GRANT, list: list ?? null, text })
    if (reading.whole !== null && !cannotWait) return reading.whole
    const content = cannotWait ? reading.parse.runInOneGo() : reading.parse.run()
    if (!(content instanceof Promise)) {
      this.#readings.delete(key)
      return keep(content)
    }
    reading.whole ??= content.then(keep).finally(() => {
      if (this.#readings.get(key) === reading) this.#readings.delete(key)
    })
    this.#readings.set(key, reading)
    return reading.whole
  }

  /** The pending read of this version, or a new one. */
  #reading(key: string, file: HtaccessRules & { readonly text: string }): Reading {
    const begun = this.#readings.get(key)
    if (begun !== undefined && begun.file.text === file.text && begun.file.grant === file.grant && begun.file.list === file.list)
      return begun
    const limit = file.server.core.computingTime ?? STANDARD_COMPUTING_TIME
    const work = new RequestWork(this.#turns, limit)
    return { file, parse: new HtaccessParse(this.#configuration, this.#services, file, work), whole: null }
  }
}

const TOO_LARGE: HtaccessContent = {
  error: `the file is not read because it is larger than ${MAX_FILE / 1024 / 1024} MiB; move its content into the server configuration`,
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map()
