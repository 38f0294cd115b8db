/** Per-directory configuration. */
export interface CharsetConfig {
  /** The charset of files. */
  source?: string
  /** The charset that clients get and send. */
  translated?: string
  implicitAdd?: boolean
  allTypes?: boolean
}

export function mergeCharsetConfig(base: Readonly<CharsetConfig>, over: Readonly<CharsetConfig>): CharsetConfig {
  return {
    source: over.source ?? base.source,
    translated: over.translated ?? base.translated,
    implicitAdd: over.implicitAdd ?? base.implicitAdd,
    allTypes: over.allTypes ?? base.allTypes,
  }
}
