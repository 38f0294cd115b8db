import { readFileSync } from 'node:fs'
import type { FileInfo } from '@gatewright/api'
import { MethodSet } from '@gatewright/api'
import { type ConfigNode, MAX_HTACCESS_LINE } from '@gatewright/config'
import { bindNodes } from '../config/binder.ts'
import { ConfigError } from '../config/config-error.ts'
import type { Generation } from '../config/generation.ts'
import { createReadContext } from '../config/read-context.ts'
import { readText } from '../config/reader.ts'
import type { OverrideGrant } from '../core-module/directory-config.ts'
import { fsPath, sameVersion } from '../request/file-info.ts'
import type { ServerRecord } from '../server/server-record.ts'
import type { ConfigServicesImpl } from '../services/config-services.ts'
import { Section } from './section.ts'

/** A file younger than this when it was read may have changed again without a trace in its time stamp: it is compared with its text. */
const UNTRUSTED_AGE = 2000

/** What a .htaccess file says, or the message that makes it a 500. */
export type HtaccessContent = Section | { readonly error: string }

interface CachedHtaccess {
  readonly info: FileInfo
  readonly readAt: number
  readonly text: string
  readonly grant: OverrideGrant | undefined
  readonly list: ReadonlySet<string> | undefined
  readonly content: HtaccessContent
}

/** Files remembered per generation. */
const MAX_FILES = 5_000

/** The .htaccess files that requests met, parsed once per version of the file and of what AllowOverride grants. */
export class HtaccessCache {
  private readonly generation: Generation
  private readonly services: ConfigServicesImpl
  private readonly files = new Map<string, CachedHtaccess>()

  constructor(generation: Generation, services: ConfigServicesImpl) {
    this.generation = generation
    this.services = services
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
    const text = readFileSync(fsPath(path), 'latin1')
    const content =
      known !== undefined && sameRules && known.text === text ? known.content : this.parse(path, text, server, grant, list)
    if (this.files.size >= MAX_FILES) this.files.clear()
    this.files.set(key, { info, readAt, text, grant, list, content })
    return content
  }

  private parse(
    path: string,
    text: string,
    server: ServerRecord,
    grant: OverrideGrant | undefined,
    list: ReadonlySet<string> | undefined,
  ): HtaccessContent {
    const section = new Section(
      { kind: '.htaccess', title: path, argument: path, file: path, line: 0, parent: null, server, sequence: 0 },
      null,
    )
    const nodes: ConfigNode[] = []
    const granted = grant ?? NOTHING
    try {
      const reading = readText(
        createReadContext(this.generation, this.services, { htaccess: granted, skippedBodies: section.skippedBodies }),
        path,
        text,
        nodes,
        null,
        0,
        MAX_HTACCESS_LINE,
      )
      // Nothing that waits may stand in a .htaccess file, so the reader runs to its end in one go.
      if (reading.next().done !== true) return { error: 'LoadModule not allowed here' }
    } catch (error) {
      if (error instanceof ConfigError) return { error: error.message }
      throw error
    }
    const error = bindNodes(nodes, {
      generation: this.generation,
      services: this.services,
      section,
      server,
      offers: granted.bits,
      limited: MethodSet.ALL,
      narrowed: false,
      grant: granted,
      overrideList: list ?? null,
      bind: bindNodes,
    })
    return error === undefined ? section : { error: error.message }
  }
}

const NOTHING: OverrideGrant = { bits: 0, options: 0, nonfatalOverride: false, nonfatalUnknown: false }
