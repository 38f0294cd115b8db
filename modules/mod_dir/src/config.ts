import type { DirectivePlace } from '@gatewright/api'

export interface DirConfig {
  /** Names of DirectoryIndex in order; empty if disabled; undefined for the default, `index.html`. */
  indexNames?: string[]
  /** The last DirectoryIndex line of these names. */
  indexPlace?: DirectivePlace
  /** Status of DirectoryIndexRedirect; 0 for Off. */
  indexRedirect?: number
  slash?: boolean
  checkHandler?: boolean
  /** URL path of FallbackResource; null if disabled. */
  fallback?: string | null
  fallbackPlace?: DirectivePlace
}

/**
 * A line in an inner scope replaces those of outer ones. Lines of the same scope have already been combined.
 */
export function mergeDirConfig(base: Readonly<DirConfig>, over: Readonly<DirConfig>): DirConfig {
  return {
    indexNames: over.indexNames ?? base.indexNames,
    indexPlace: over.indexPlace ?? base.indexPlace,
    indexRedirect: over.indexRedirect ?? base.indexRedirect,
    slash: over.slash ?? base.slash,
    checkHandler: over.checkHandler ?? base.checkHandler,
    fallback: over.fallback === undefined ? base.fallback : over.fallback,
    fallbackPlace: over.fallback === undefined ? base.fallbackPlace : over.fallbackPlace,
  }
}
