/** What the directives of a server say; undefined for what they leave open. Sizes are bytes, times ms. */
export interface ServerConfig {
  maxStreams?: number
  windowSize?: number
  maxDataFrame?: number
  maxHeaderBlock?: number
  maxStreamErrors?: number
  padding?: number
  streamTimeout?: number
  webSockets?: boolean
  pushDiarySize?: number
  direct?: boolean
  modernTlsOnly?: boolean
  earlyHints?: boolean
}

/** A resource to be pushed along with others. */
export interface PushResource {
  readonly target: string
  readonly isCritical: boolean
}

/** What the directives of a section say. */
export interface SectionConfig {
  upgrade?: boolean
  push?: boolean
  /** Matters for servers only. */
  proxyRequests?: boolean
  resources: readonly PushResource[]
  /** Fields of early hints: names and values. */
  hints: readonly (readonly [name: string, value: string])[]
}

export function mergeServerConfig(base: Readonly<ServerConfig>, over: Readonly<ServerConfig>): ServerConfig {
  return { ...base, ...over }
}

export function createSectionConfig(): SectionConfig {
  return { resources: [], hints: [] }
}

/** Lists add up. */
export function mergeSectionConfig(base: Readonly<SectionConfig>, over: Readonly<SectionConfig>): SectionConfig {
  return {
    upgrade: over.upgrade ?? base.upgrade,
    push: over.push ?? base.push,
    proxyRequests: over.proxyRequests ?? base.proxyRequests,
    resources: [...base.resources, ...over.resources],
    hints: [...base.hints, ...over.hints],
  }
}
