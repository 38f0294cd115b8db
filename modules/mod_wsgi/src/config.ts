import type { DirectivePlace, Pattern } from '@gatewright/api'
import type { Template } from '@gatewright/api/text'
import type { DaemonGroup } from './daemon-group.ts'

/** What sections set. */
export interface WsgiConfig {
  processGroup?: string
  applicationGroup?: string
  callableObject?: string
  passAuthorization?: boolean
  scriptReloading?: boolean
  errorOverride?: boolean
  chunkedRequest?: boolean
  mapHead?: 'on' | 'off' | 'auto'
  ignoreActivity?: boolean
  enableSendfile?: boolean
  /** WSGIRestrictProcess: the groups that may be chosen. */
  allowedGroups?: ReadonlySet<string>
}

/** What a WSGIScriptAlias line sets for its application. */
export interface AliasOptions {
  readonly processGroup: string | null
  readonly applicationGroup: string | null
  readonly callableObject: string | null
  readonly passAuthorization: boolean | null
}

/** A WSGIScriptAlias or WSGIScriptAliasMatch line. */
export interface ScriptAlias {
  readonly match:
    | { readonly kind: 'prefix'; readonly prefix: string; readonly target: string }
    | { readonly kind: 'pattern'; readonly pattern: Pattern; readonly target: Template }
  readonly options: AliasOptions
  /** The folder that a relative target refers to. */
  readonly serverRoot: string
  readonly place: DirectivePlace
}

/** A script that processes load when they start: WSGIImportScript, or an alias with both groups. */
export interface ImportedScript {
  readonly processGroup: string
  readonly applicationGroup: string
  readonly script: string
  readonly place: DirectivePlace
}

/** What servers set. The settings of Python are those of the main server. */
export interface WsgiServerConfig {
  aliases: readonly ScriptAlias[]
  /** Of all servers, in the configuration of each that defines some. */
  groups: readonly DaemonGroup[]
  imports: readonly ImportedScript[]
  pythonHome?: string
  pythonPath?: readonly string[]
  pythonEggs?: string
  pythonOptimize?: number
  pythonHashSeed?: string
  pythonWarnings: readonly string[]
  dontWriteBytecode?: boolean
  restrictEmbedded?: boolean
  restrictSignal?: boolean
  socketPrefix?: string
}

export function mergeWsgiConfig(base: Readonly<WsgiConfig>, over: Readonly<WsgiConfig>): WsgiConfig {
  const defined = Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined))
  return { ...base, ...defined }
}

export function createServerConfig(): WsgiServerConfig {
  return { aliases: [], groups: [], imports: [], pythonWarnings: [] }
}

/** A virtual host has the aliases of the main server after its own. */
export function mergeServerConfig(base: Readonly<WsgiServerConfig>, over: Readonly<WsgiServerConfig>): WsgiServerConfig {
  return { ...base, aliases: [...over.aliases, ...base.aliases], groups: over.groups, imports: over.imports }
}
