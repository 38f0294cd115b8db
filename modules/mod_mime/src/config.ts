import type { MediaType } from './media-type.ts'

/** Properties of one extension; undefined means not set in this scope. */
export interface ExtensionInfo {
  /** null after RemoveType */
  type?: MediaType | null
  encoding?: string | undefined
  language?: string | undefined
  charset?: string | undefined
  handler?: string | undefined
  inputFilters?: string | undefined
  outputFilters?: string | undefined
}

/** A property of an extension that Remove... names. */
export interface Removal {
  /** In lower case, without dot. */
  readonly extension: string
  readonly attribute: Exclude<keyof ExtensionInfo, 'type'>
}

/** Which unknown parts of a file name MultiViews accepts. */
export type MultiviewsChoice = 'any' | 'negotiated-only' | 'filters' | 'handlers' | 'filters-and-handlers'

export interface MimeConfig {
  /** By extension, in lower case, without dot. */
  readonly extensions: Map<string, ExtensionInfo>
  /**
   * What this section removes from the outer ones when it is merged with them, and from itself: as in httpd, Remove...
   * takes effect after every Add... of its section, wherever it is written. A section that another one has been merged
   * with removes nothing any more.
   */
  readonly removals: Removal[]
  defaultLanguage?: string
  usePathInfo?: boolean
  multiviewsMatch?: MultiviewsChoice
}

/** Per-server configuration; like httpd, the module reads only the main server's file. */
export interface MimeServerConfig {
  /** Absolute path. */
  typesFile?: string
}

export function createMimeConfig(): MimeConfig {
  return { extensions: new Map(), removals: [] }
}

export function mergeMimeConfig(base: Readonly<MimeConfig>, over: Readonly<MimeConfig>): MimeConfig {
  return {
    extensions: remove(mergeExtensions(base.extensions, over.extensions), over.removals),
    removals: [],
    defaultLanguage: over.defaultLanguage ?? base.defaultLanguage,
    usePathInfo: over.usePathInfo ?? base.usePathInfo,
    multiviewsMatch: over.multiviewsMatch ?? base.multiviewsMatch,
  }
}

function mergeExtensions(base: Map<string, ExtensionInfo>, over: Map<string, ExtensionInfo>): Map<string, ExtensionInfo> {
  if (over.size === 0) return base
  if (base.size === 0) return over
  const merged = new Map(base)
  for (const [extension, info] of over) {
    const outer = base.get(extension)
    merged.set(extension, outer === undefined ? info : overlay(outer, info))
  }
  return merged
}

/**
 * Removes what both sections set. As in httpd, what a third section sets that they are merged with later remains:
 * sections of one kind are merged with one another before they are merged with the server.
 */
function remove(extensions: Map<string, ExtensionInfo>, removals: readonly Removal[]): Map<string, ExtensionInfo> {
  if (removals.length === 0) return extensions
  const remaining = new Map(extensions)
  for (const { extension, attribute } of removals) {
    const info = remaining.get(extension)
    if (info?.[attribute] !== undefined) remaining.set(extension, { ...info, [attribute]: undefined })
  }
  return remaining
}

function overlay(outer: ExtensionInfo, info: ExtensionInfo): ExtensionInfo {
  return {
    type: info.type === undefined ? outer.type : info.type,
    encoding: info.encoding ?? outer.encoding,
    language: info.language ?? outer.language,
    charset: info.charset ?? outer.charset,
    handler: info.handler ?? outer.handler,
    inputFilters: info.inputFilters ?? outer.inputFilters,
    outputFilters: info.outputFilters ?? outer.outputFilters,
  }
}
