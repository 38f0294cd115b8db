import type { CommandError, MethodSet, SetResult } from '@gatewright/api'
import type { ConfigNode } from '@gatewright/config'
import type { OverrideGrant } from '../model/directory-config.ts'
import type { Section } from '../model/section.ts'
import type { ServerConfiguration } from '../model/server-configuration.ts'
import type { ServerRecord } from '../model/server-record.ts'
import type { ConfigServicesImpl } from './config-services.ts'

/** The error of a line, with an optional hint. */
export interface BindError extends CommandError {
  readonly hint?: string
}

/** A list of lines that is being applied. */
export interface Body {
  readonly nodes: readonly ConfigNode[]
  readonly context: BindContext
  next: number
  /**
   * The rest of the container's work after its lines were applied; its result counts as that of the
   * container's own line.
   */
  readonly end?: { readonly node: ConfigNode; readonly act: () => SetResult }
}

/** The context of the lines being bound. */
export interface BindContext {
  readonly configuration: ServerConfiguration
  readonly services: ConfigServicesImpl
  readonly section: Section
  readonly server: ServerRecord
  /** The context bits in effect here. */
  readonly offers: number
  readonly limited: MethodSet
  /**
   * Inside a container that permits only directives of certain classes, such as `<Limit>` and `<RequireAll>`.
   */
  readonly narrowed: boolean
  /** What AllowOverride permits, in .htaccess; null in server files. */
  readonly grant: OverrideGrant | null
  readonly overrideList: ReadonlySet<string> | null
  /**
   * Takes the lines of sections that are to be applied later, but before what follows them; absent where they
   * are applied at once.
   */
  readonly later?: { push(body: Body): void }
  /** Applies nested lines: the binder itself, which commands reach through here. */
  readonly bind: (nodes: readonly ConfigNode[], context: BindContext) => BindError | undefined
}
