import type { DirectivePlace, SectionInfo, Text } from '@gatewright/api'
import type { AliasRule } from './alias-rule.ts'
import type { RedirectRule } from './redirect-rule.ts'

/** `Alias TARGET` in a `<Location>`. */
export interface LocationAlias {
  readonly target: Text
  /** Path of the section, which AliasPreservePath removes from the URL. */
  readonly prefix: string
  /** Handler that ScriptAlias sets, or null. */
  readonly handler: string | null
  /** The folder that a relative target refers to. */
  readonly serverRoot: string
  readonly place: DirectivePlace
}

/** `Redirect [STATUS] [TARGET]` in a section. */
export interface SectionRedirect {
  readonly status: number
  /** null if the status takes no target. */
  readonly target: Text | null
  readonly place: DirectivePlace
}

/**
 * Rules of the main server and of virtual hosts apply while the URL is translated, those of sections after
 * access control. They are kept in separate lists, according to their place. Rules of inner sections come
 * first.
 */
export interface AliasConfig {
  serverAliases: AliasRule[]
  serverRedirects: RedirectRule[]
  redirects: RedirectRule[]
  alias?: LocationAlias
  redirect?: SectionRedirect
  relativeRedirects?: boolean
  preservePath?: boolean
}

export function createAliasConfig(): AliasConfig {
  return { serverAliases: [], serverRedirects: [], redirects: [] }
}

export function mergeAliasConfig(base: Readonly<AliasConfig>, over: Readonly<AliasConfig>): AliasConfig {
  return {
    serverAliases: nearerFirst(base.serverAliases, over.serverAliases),
    serverRedirects: nearerFirst(base.serverRedirects, over.serverRedirects),
    redirects: nearerFirst(base.redirects, over.redirects),
    alias: over.alias ?? base.alias,
    redirect: over.redirect ?? base.redirect,
    relativeRedirects: over.relativeRedirects ?? base.relativeRedirects,
    preservePath: over.preservePath ?? base.preservePath,
  }
}

/** True outside all sections, in the main server or a virtual host. */
export function isServerLevel(section: SectionInfo): boolean {
  return section.kind === 'server' || section.kind === 'VirtualHost'
}

function nearerFirst<T>(base: T[], over: T[]): T[] {
  if (over.length === 0) return base
  return base.length === 0 ? over : [...over, ...base]
}
