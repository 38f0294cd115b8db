import type { DirectivePlace, Overlay, Pattern, SectionInfo, SectionKind } from '@gatewright/api'
import type { ConfigNode } from '@gatewright/config'
import type { FnmatchMatcher } from '@gatewright/expr'
import { CORE_INDEX, type LoadedModule } from '../modules/registry.ts'
import { createCoreDirectory, type MutableCoreDirectory } from './directory-config.ts'
import { sectionRank } from './section-rank.ts'
import type { ServerRecord } from './server-record.ts'
import type { SkippedBody } from './skipped-body.ts'

/** How a section decides whether it applies. */
export interface SectionMatch {
  /** The argument of a plain section, without the trailing slash of a directory. */
  readonly path: string
  /** Set for the ...Match forms and `~`. */
  readonly pattern: Pattern | null
  /** Set if the plain argument contains wildcards. */
  readonly wildcard: FnmatchMatcher | null
  /** Number of slashes, which determines the order of directory sections. */
  readonly depth: number
}

export interface SectionOrigin {
  /** Counts the sections of a configuration in file order. */
  readonly sequence: number
  readonly kind: SectionKind
  readonly title: string
  readonly argument: string
  readonly file: string
  readonly line: number
  readonly parent: SectionInfo | null
  readonly server: ServerRecord
}

/**
 * A section, a .htaccess file or the server level itself: the per-directory configuration that its directives
 * fill.
 */
export class Section implements SectionInfo, Overlay {
  readonly kind: SectionKind
  readonly title: string
  readonly argument: string
  readonly file: string
  readonly line: number
  readonly parent: SectionInfo | null
  readonly server: ServerRecord
  readonly match: SectionMatch | null
  readonly rank: readonly number[]
  /** Configuration objects by module number; undefined if the section has no directive of the module. */
  readonly slots: unknown[] = []
  /** For a .htaccess file: the bodies of false conditions, which were not read. */
  readonly skippedBodies: SkippedBody[] = []
  /** The lines that defined the section if the configuration keeps its lines; otherwise null. */
  lines: readonly ConfigNode[] | null = null
  /** Core's own configuration object, the same as its slot. */
  core: MutableCoreDirectory | null = null

  constructor(origin: SectionOrigin, match: SectionMatch | null) {
    this.kind = origin.kind
    this.title = origin.title
    this.argument = origin.argument
    this.file = origin.file
    this.line = origin.line
    this.parent = origin.parent
    this.server = origin.server
    this.match = match
    this.rank = sectionRank({
      kind: origin.kind,
      parent: origin.parent,
      depth: match?.depth ?? origin.argument.split('/').length - 2,
      ofVirtualHost: origin.server.isVirtual,
      sequence: origin.sequence,
    })
  }

  /** The defaults of a server do not count as a section of its configuration. */
  get sections(): readonly Section[] {
    return this.kind === 'server' || this.kind === 'VirtualHost' ? [] : [this]
  }

  /** The place of its first line, for messages. */
  get place(): DirectivePlace {
    return { name: this.title, file: this.file, line: this.line }
  }

  get section(): SectionInfo {
    return this
  }

  /** The module's configuration object in this section, created for its first directive. */
  slot(owner: LoadedModule): unknown {
    if (owner.index === CORE_INDEX) return this.coreSlot()
    const made = this.slots[owner.index]
    if (made !== undefined) return made
    const fresh = owner.module.perDirectory?.create(this)
    this.slots[owner.index] = fresh
    return fresh
  }

  /** Core's configuration object in this section. */
  coreSlot(): MutableCoreDirectory {
    this.core ??= createCoreDirectory()
    this.slots[CORE_INDEX] = this.core
    return this.core
  }
}
