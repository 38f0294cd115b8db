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

/** A list of lines whose application is in progress. */
export interface Body {
  readonly nodes: readonly ConfigNode[]
  readonly context: BindContext
  next: number
  /**
   * The rest of the container's work after its lines were applied; its result is that of the container's own
   * line.
   */
  readonly end?: { readonly node: ConfigNode; readonly act: () => SetResult }
}

/** What a container hands to the lines inside it. */
export interface Handed {
  readonly name: string
  readonly object: unknown
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
  /** The directives that AllowOverride allows, in .htaccess files; null in server files. */
  readonly grant: OverrideGrant | null
  readonly overrideList: ReadonlySet<string> | null
  /** What containers around these lines have handed to them, the innermost first; absent outside of such containers. */
  readonly handed?: readonly Handed[]
  /**
   * Receives the lines of sections that are applied later, but before the lines after them; absent if lines
   * are applied at once.
   */
  readonly later?: { push(body: Body): void }
  /** Applies nested lines with the binder that the context belongs to. */
  readonly bind: (nodes: readonly ConfigNode[], context: BindContext) => BindError | undefined
}
