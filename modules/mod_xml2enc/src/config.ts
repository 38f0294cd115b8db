/** Per-directory configuration. */
export interface Xml2encConfig {
  /** The charset of text that does not say what it has. */
  defaultCharset?: string
  /** Names of elements: what comes before the first of them is dropped. */
  starts?: readonly string[]
}

export function mergeXml2encConfig(base: Readonly<Xml2encConfig>, over: Readonly<Xml2encConfig>): Xml2encConfig {
  return { defaultCharset: over.defaultCharset ?? base.defaultCharset, starts: over.starts ?? base.starts }
}
