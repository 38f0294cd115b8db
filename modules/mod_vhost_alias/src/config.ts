import type { NamePattern } from './name-pattern.ts'

/** A pattern, and whether it is filled with the requested host name or the server's address. */
export interface VirtualFolder {
  readonly pattern: NamePattern
  readonly by: 'name' | 'address'
}

/** null means `none`, which also prevents inheritance. undefined means not set. */
export interface VhostAliasConfig {
  documents?: VirtualFolder | null
  scripts?: VirtualFolder | null
}

export function mergeConfigs(base: Readonly<VhostAliasConfig>, over: Readonly<VhostAliasConfig>): VhostAliasConfig {
  return {
    documents: over.documents === undefined ? base.documents : over.documents,
    scripts: over.scripts === undefined ? base.scripts : over.scripts,
  }
}
