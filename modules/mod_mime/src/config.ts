import type { MediaType } from './media-type.ts'

/** Properties of one extension. null means removed by Remove...; undefined means not set in this scope. */
export interface ExtensionInfo {
  type?: MediaType | null
  encoding?: string | null
  language?: string | null
  charset?: string | null
  handler?: string | null
  inputFilters?: string | null
  outputFilters?: string | null
}

/** Which unknown parts of a file name MultiViews accepts. */
export type MultiviewsChoice = 'any' | 'negotiated-only' | 'filters' | 'handlers' | 'filters-and-handlers'

export interface MimeConfig {
  /** By extension, in lower case, without dot. */
  readonly extensions: Map<string, ExtensionInfo>
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
  return { extensions: new Map() }
}

export function mergeMimeConfig(base: Readonly<MimeConfig>, over: Readonly<MimeConfig>): MimeConfig {
  return {
    extensions: mergeExtensions(base.extensions, over.extensions),
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

function overlay(outer: ExtensionInfo, info: ExtensionInfo): ExtensionInfo {
  return {
    type: nearer(info.type, outer.type),
    encoding: nearer(info.encoding, outer.encoding),
    language: nearer(info.language, outer.language),
    charset: nearer(info.charset, outer.charset),
    handler: nearer(info.handler, outer.handler),
    inputFilters: nearer(info.inputFilters, outer.inputFilters),
    outputFilters: nearer(info.outputFilters, outer.outputFilters),
  }
}

function nearer<T>(own: T | null | undefined, outer: T | null | undefined): T | null | undefined {
  return own === undefined ? outer : own
}
