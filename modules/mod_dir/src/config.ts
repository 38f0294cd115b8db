import type { DirectivePlace } from '@gatewright/api'

export interface DirConfig {
  /** Names of DirectoryIndex in order; empty when it is disabled; undefined for `index.html`. */
  indexNames?: string[]
  /** The last DirectoryIndex line that they come from. */
  indexPlace?: DirectivePlace
  /** Status of DirectoryIndexRedirect; 0 for Off. */
  indexRedirect?: number
  slash?: boolean
  checkHandler?: boolean
  /** URL path of FallbackResource; null when it is disabled. */
  fallback?: string | null
}

/** A line in a nearer scope replaces; lines of one scope have added up before. */
export function mergeDirConfig(base: Readonly<DirConfig>, over: Readonly<DirConfig>): DirConfig {
  return {
    indexNames: over.indexNames ?? base.indexNames,
    indexPlace: over.indexPlace ?? base.indexPlace,
    indexRedirect: over.indexRedirect ?? base.indexRedirect,
    slash: over.slash ?? base.slash,
    checkHandler: over.checkHandler ?? base.checkHandler,
    fallback: over.fallback === undefined ? base.fallback : over.fallback,
  }
}
