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

/** What responses are announced with. */
export interface Announcements {
  readonly resources: readonly PushResource[]
  /** Fields of early hints: names and values. */
  readonly hints: readonly (readonly [name: string, value: string])[]
}

/** What the directives of a section say. */
export interface SectionConfig {
  upgrade?: boolean
  push?: boolean
  /** Matters for servers only. */
  proxyRequests?: boolean
  /** Lines outside of sections; those of sections replace them, each kind by itself. */
  ofServer: Announcements
  ofSections: Announcements
}

const NOTHING: Announcements = { resources: [], hints: [] }

export function mergeServerConfig(base: Readonly<ServerConfig>, over: Readonly<ServerConfig>): ServerConfig {
  return { ...base, ...over }
}

export function createSectionConfig(): SectionConfig {
  return { ofServer: NOTHING, ofSections: NOTHING }
}

/** Lists add up. */
export function mergeSectionConfig(base: Readonly<SectionConfig>, over: Readonly<SectionConfig>): SectionConfig {
  return {
    upgrade: over.upgrade ?? base.upgrade,
    push: over.push ?? base.push,
    proxyRequests: over.proxyRequests ?? base.proxyRequests,
    ofServer: mergeAnnouncements(base.ofServer, over.ofServer),
    ofSections: mergeAnnouncements(base.ofSections, over.ofSections),
  }
}

/** In the order of httpd. */
function mergeAnnouncements(base: Announcements, over: Announcements): Announcements {
  return { resources: [...base.resources, ...over.resources], hints: [...over.hints, ...base.hints] }
}

/** What applies to a request. */
export function announcementsOf({ ofServer, ofSections }: Readonly<SectionConfig>): Announcements {
  return {
    resources: ofSections.resources.length > 0 ? ofSections.resources : ofServer.resources,
    hints: ofSections.hints.length > 0 ? ofSections.hints : ofServer.hints,
  }
}
