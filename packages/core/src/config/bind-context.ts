import type { CommandError, MethodSet, SetResult } from '@gatewright/api'
import type { ConfigNode } from '@gatewright/config'
import type { OverrideGrant } from '../model/directory-config.ts'
import type { Generation } from '../model/generation.ts'
import type { Section } from '../model/section.ts'
import type { ServerRecord } from '../model/server-record.ts'
import type { ConfigServicesImpl } from './config-services.ts'

/** The error of a line, with the advice that may go with it. */
export interface BindError extends CommandError {
  readonly hint?: string
}

/** A list of lines that is being applied. */
export interface Body {
  readonly nodes: readonly ConfigNode[]
  readonly context: BindContext
  next: number
  /** What the container still has to do when its lines are applied; what it says counts as the result of the container's own line. */
  readonly end?: { readonly node: ConfigNode; readonly act: () => SetResult }
}

/** What surrounds the lines being bound. */
export interface BindContext {
  readonly generation: Generation
  readonly services: ConfigServicesImpl
  readonly section: Section
  readonly server: ServerRecord
  /** Context bits offered here. */
  readonly offers: number
  readonly limited: MethodSet
  /** Inside a container that admits only directives of certain classes, as `<Limit>` and `<RequireAll>` do. */
  readonly narrowed: boolean
  /** What AllowOverride granted, in .htaccess; null in server files. */
  readonly grant: OverrideGrant | null
  readonly overrideList: ReadonlySet<string> | null
  /** Takes the lines of sections that are to be applied later, but before what follows them; absent where they are applied at once. */
  readonly later?: { push(body: Body): void }
  /** Applies nested lines: the binder itself, which commands reach through here. */
  readonly bind: (nodes: readonly ConfigNode[], context: BindContext) => BindError | undefined
}
