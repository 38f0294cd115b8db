import type { NamePattern } from './name-pattern.ts'

/** A pattern, and whether the name that a request asks for or the address that it came to fills it. */
export interface VirtualFolder {
  readonly pattern: NamePattern
  readonly by: 'name' | 'address'
}

/** null: `none`, which also keeps a virtual host from inheriting. undefined: nothing said. */
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
