import type { FileInfo } from '@gatewright/api'
import type { ConfigNode } from '@gatewright/config'
import { LRUCache } from 'lru-cache'
import { bindNodes } from '../config/binder.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Generation } from '../config/generation.ts'
import { NO_GRANT, type OverrideGrant } from '../core-module/directory-config.ts'
import { sameVersion } from '../request/file-info.ts'
import type { ServerRecord } from '../server/server-record.ts'
import type { ConfigServicesImpl } from '../services/config-services.ts'
import { readWhole } from '../services/read-whole.ts'
import { htaccessContext, htaccessSection, readHtaccess } from './read-htaccess.ts'
import type { Section } from './section.ts'

/** A file younger than this when it was read may have changed again without a trace in its time stamp: it is compared with its text. */
const UNTRUSTED_AGE = 2000

/** What a .htaccess file says, or the message that makes it a 500. */
export type HtaccessContent = Section | { readonly error: string }

interface CachedHtaccess {
  readonly info: FileInfo
  readonly readAt: number
  /** Length of the file's text. */
  readonly length: number
  /** Kept only while the file's version cannot be trusted; null otherwise. */
  readonly text: string | null
  readonly grant: OverrideGrant | undefined
  readonly list: ReadonlySet<string> | undefined
  readonly content: HtaccessContent
}

/** Files remembered per generation, by number and by the bytes of their text: what is made of a file takes many times as much memory. */
const MAX_FILES = 5_000
const MAX_REMEMBERED = 32 * 1024 * 1024

/** A larger file is not read: whoever may write it could otherwise fill the memory of the server that all share. */
const MAX_FILE = 16 * 1024 * 1024

/** The .htaccess files that requests met, parsed once per version of the file and of what AllowOverride grants. */
export class HtaccessCache {
  private readonly generation: Generation
  private readonly services: ConfigServicesImpl
  private readonly files = new LRUCache<string, CachedHtaccess>({
    max: MAX_FILES,
    maxSize: MAX_REMEMBERED,
    sizeCalculation: ({ length }) => length + 1,
  })
  private readonly assumed: ReadonlyMap<string, string>

  /** @param assumed texts that count in place of what the files say, by path */
  constructor(generation: Generation, services: ConfigServicesImpl, assumed: ReadonlyMap<string, string> = NO_TEXTS) {
    this.generation = generation
    this.services = services
    this.assumed = assumed
  }

  /**
   * @param info what stat says of the file now
   * @throws the system's error when the file cannot be read
   */
  content(
    path: string,
    info: FileInfo,
    server: ServerRecord,
    grant: OverrideGrant | undefined,
    list: ReadonlySet<string> | undefined,
  ): HtaccessContent {
    const key = `${server.line}\0${server.file}\0${path}`
    const known = this.files.get(key)
    const sameRules = known !== undefined && known.grant === grant && known.list === list
    if (known !== undefined && sameRules && sameVersion(known.info, info) && known.readAt - info.mtimeMs > UNTRUSTED_AGE)
      return known.content
    const readAt = Date.now()
    const text = this.assumed.get(path) ?? readWhole(path, MAX_FILE)?.toString('latin1')
    if (text === undefined) return TOO_LARGE
    const content =
      known !== undefined && sameRules && known.text === text ? known.content : this.parse(path, text, server, grant, list)
    const settled = readAt - info.mtimeMs > UNTRUSTED_AGE
    this.files.set(key, { info, readAt, length: text.length, text: settled ? null : text, grant, list, content })
    return content
  }

  private parse(
    path: string,
    text: string,
    server: ServerRecord,
    grant: OverrideGrant | undefined,
    list: ReadonlySet<string> | undefined,
  ): HtaccessContent {
    const rules = { path, server, grant: grant ?? NO_GRANT, list: list ?? null }
    const section = htaccessSection(rules)
    const nodes: ConfigNode[] = []
    if (this.generation.keptLines !== null) section.lines = nodes
    try {
      readHtaccess(this.generation, this.services, { ...rules, text, section, nodes })
    } catch (error) {
      if (error instanceof ConfigError) return { error: error.message }
      throw error
    }
    const error = bindNodes(nodes, htaccessContext(this.generation, this.services, { ...rules, section, bind: bindNodes }))
    return error === undefined ? section : { error: error.message }
  }
}

const TOO_LARGE: HtaccessContent = {
  error: `the file is not read because it has more than ${MAX_FILE / 1024 / 1024} MiB; put what it says into the server's configuration`,
}

const NO_TEXTS: ReadonlyMap<string, string> = new Map()
