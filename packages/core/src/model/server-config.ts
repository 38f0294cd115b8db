import type { Section } from './section.ts'

/** ServerName [scheme://]name[:port] */
export interface ServerNameSetting {
  readonly name: string
  readonly port: number
  readonly scheme: 'http' | 'https'
}

/** Core's per-server configuration; undefined means not set. Times in milliseconds. */
export interface CoreServerConfig {
  serverName?: ServerNameSetting
  serverAliases: string[]
  wildAliases: string[]
  serverPath?: string
  serverAdmin?: string
  documentRoot?: string
  timeout?: number
  keepAlive?: boolean
  keepAliveTimeout?: number
  maxKeepAliveRequests?: number
  limitRequestLine?: number
  limitRequestFieldSize?: number
  limitRequestFields?: number
  /** LimitInternalRecursion: redirects, then depth of sub-requests. */
  redirectLimit?: number
  subrequestLimit?: number
  /** LimitComputingTime in milliseconds; Infinity for no limit. */
  computingTime?: number
  allowEncodedSlashes?: 'off' | 'on' | 'nodecode'
  mergeSlashes?: boolean
  traceEnable?: 'on' | 'off' | 'extended'
  strict?: boolean
  registeredMethods?: boolean
  allowHttp09?: boolean
  strictHostCheck?: boolean
  mergeTrailers?: boolean
  accessFileNames?: readonly string[]
  errorLog?: string
  errorLogFormat?: string
  connectionLogFormats: string[]
  requestLogFormats: string[]
  protocols?: readonly string[]
  /** ProtocolsHonorOrder: whether the order of Protocols counts, and not that of the client. */
  protocolsHonorOrder?: boolean
  /** `<Directory>` sections in file order until sorted, `<Location>` sections in file order. */
  directorySections: Section[]
  locationSections: Section[]
}

/** Names of the files that configure their folder (AccessFileName); the first one that exists applies. */
export function accessFileNamesOf({ accessFileNames = STANDARD_NAMES }: CoreServerConfig): readonly string[] {
  return accessFileNames
}

const STANDARD_NAMES: readonly string[] = ['.htaccess']

export function createCoreServer(): CoreServerConfig {
  return {
    serverAliases: [],
    wildAliases: [],
    connectionLogFormats: [],
    requestLogFormats: [],
    directorySections: [],
    locationSections: [],
  }
}

/**
 * Merges a virtual host over the main server: names and AllowEncodedSlashes are its own, sections are
 * combined, everything else is inherited.
 */
export function inheritCoreServer(main: CoreServerConfig, host: CoreServerConfig): void {
  const own = Object.entries(host).filter(([, value]) => value !== undefined)
  const {
    serverName: _name,
    serverAliases: _aliases,
    wildAliases: _wild,
    serverPath: _path,
    // httpd merges it whether or not the host sets it.
    allowEncodedSlashes: _slashes,
    ...inherited
  } = main
  Object.assign(host, inherited, Object.fromEntries(own))
  host.directorySections = [...main.directorySections, ...host.directorySections]
  host.locationSections = [...main.locationSections, ...host.locationSections]
}
