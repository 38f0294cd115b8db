import type { Overlay, Pattern, SectionInfo } from '@gatewright/api'
import type { HostMatcher } from './host-matchers.ts'
import type { Balancer } from './workers/balancer.ts'
import type { Worker } from './workers/worker.ts'

/** A line of ProxyPass or ProxyPassMatch. */
export interface Mapping {
  /** The path, or the text of the pattern. */
  readonly from: string
  /** The URL, without `unix:PATH|`; `!` for an exclusion. */
  readonly to: string
  readonly socketPath: string | null
  readonly pattern: Pattern | null
  readonly noCanonical: boolean
  readonly noQuery: boolean
  readonly interpolates: boolean
  readonly phase: 'encoded' | 'decoded'
  readonly isServlet: boolean
  readonly balancer: Balancer | null
  readonly worker: Worker | null
}

/** A line of ProxyPassReverse and its relatives. */
export interface ReverseMapping {
  readonly from: string
  readonly to: string
  readonly interpolates: boolean
}

/** A line of ProxyRemote or ProxyRemoteMatch. */
export interface RemoteProxy {
  /** `*`, a scheme, or the beginning of a URL, for ProxyRemote. */
  readonly of: string
  readonly pattern: Pattern | null
  readonly scheme: string
  readonly hostname: string
  readonly port: number
  readonly credentials: string | null
}

/** A `<Proxy>` or `<ProxyMatch>` section. */
export interface ProxySection {
  readonly section: Overlay
  /** The beginning of URLs, for a section without wildcards. */
  readonly prefix: string
  readonly wildcard: { matches(text: string): boolean } | null
  readonly pattern: Pattern | null
}

/** What sections set, and the lines of servers that requests look up in the order of the file. */
export interface DirectoryConfig {
  mappings: readonly Mapping[]
  /** ProxyPass in a section. */
  mapping?: Mapping
  reverse: readonly ReverseMapping[]
  cookiePaths: readonly ReverseMapping[]
  cookieDomains: readonly ReverseMapping[]
  preserveHost?: boolean
  addHeaders?: boolean
  errorOverride?: { readonly on: boolean; readonly statuses: readonly number[] }
  interpolates?: boolean
  forwardContinue?: boolean
}

export function createDirectoryConfig(_section: SectionInfo): DirectoryConfig {
  return { mappings: [], reverse: [], cookiePaths: [], cookieDomains: [] }
}

export function mergeDirectoryConfig(base: Readonly<DirectoryConfig>, over: Readonly<DirectoryConfig>): DirectoryConfig {
  return {
    mappings: joined(base.mappings, over.mappings),
    mapping: over.mapping ?? base.mapping,
    reverse: joined(base.reverse, over.reverse),
    cookiePaths: joined(base.cookiePaths, over.cookiePaths),
    cookieDomains: joined(base.cookieDomains, over.cookieDomains),
    preserveHost: over.preserveHost ?? base.preserveHost,
    addHeaders: over.addHeaders ?? base.addHeaders,
    errorOverride: over.errorOverride ?? base.errorOverride,
    interpolates: over.interpolates ?? base.interpolates,
    forwardContinue: over.forwardContinue ?? base.forwardContinue,
  }
}

function joined<T>(base: readonly T[], over: readonly T[]): readonly T[] {
  if (over.length === 0) return base
  return base.length === 0 ? over : [...base, ...over]
}

export type Via = 'off' | 'on' | 'full' | 'block'

/** What servers set. */
export interface ServerConfig {
  sections: readonly ProxySection[]
  remotes: readonly RemoteProxy[]
  blocked: readonly HostMatcher[]
  blocksAll?: boolean
  direct: readonly HostMatcher[]
  requests?: boolean
  via?: Via
  timeout?: number
  maxForwards?: number
  badHeader?: 'error' | 'ignore' | 'body'
  ioBufferSize?: number
  domain?: string
  sourceAddress?: string
  status?: 'off' | 'on' | 'full'
  inheritsMappings?: boolean
  inheritsBalancers?: boolean
  persistsBalancers?: boolean
}

export function createServerConfig(): ServerConfig {
  return { sections: [], remotes: [], blocked: [], direct: [] }
}

export function mergeServerConfig(base: Readonly<ServerConfig>, over: Readonly<ServerConfig>): ServerConfig {
  return {
    sections: joined(base.sections, over.sections),
    remotes: joined(base.remotes, over.remotes),
    blocked: joined(base.blocked, over.blocked),
    blocksAll: over.blocksAll ?? base.blocksAll,
    direct: joined(base.direct, over.direct),
    requests: over.requests ?? base.requests,
    via: over.via ?? base.via,
    timeout: over.timeout ?? base.timeout,
    maxForwards: over.maxForwards ?? base.maxForwards,
    badHeader: over.badHeader ?? base.badHeader,
    ioBufferSize: over.ioBufferSize ?? base.ioBufferSize,
    domain: over.domain ?? base.domain,
    sourceAddress: over.sourceAddress ?? base.sourceAddress,
    status: over.status ?? base.status,
    inheritsMappings: over.inheritsMappings ?? base.inheritsMappings,
    inheritsBalancers: over.inheritsBalancers ?? base.inheritsBalancers,
    persistsBalancers: over.persistsBalancers ?? base.persistsBalancers,
  }
}
