import type { ModuleHost, Server } from '@gatewright/api'
import { DEFAULT_AUTHORITY } from '../authorities.ts'
import {
  type ConfiguredDomain,
  createSettings,
  type DomainSettings,
  type MdSettings,
  PROCESS_DEFAULTS,
  type ProcessSettings,
  RENEW_WINDOW,
  WARN_WINDOW,
} from '../settings.ts'
import { withScheme } from '../url-checks.ts'
import { type ManagedDomain, STATES } from './managed-domain.ts'

/** Everything that is configured, once for the whole server. */
export interface Assembled {
  readonly process: Readonly<ProcessSettings>
  readonly domains: ManagedDomain[]
}

/** ServerAdmin of a server that does not set it. */
const DEFAULT_ADMIN = '[no address given]'

/** The settings of a server; every server has some. */
export function settingsOfServer(host: ModuleHost<undefined, MdSettings>, server: Server): Readonly<MdSettings> {
  // A configuration without a directive of the module has no object.
  return (host.serverConfigOf(server) as Readonly<MdSettings> | undefined) ?? createSettings()
}

/** Collects what the main server and the virtual hosts define, in their order. */
export function assemble(host: ModuleHost<undefined, MdSettings>, servers: readonly Server[]): Assembled {
  const all = [...new Set(servers.map((server) => settingsOfServer(host, server)))]
  const parts = [...new Set(all.map(({ process }) => process))]
  const [main] = servers
  const { own } = settingsOfServer(host, main)
  const configured = [...new Set(all.map(({ domains }) => domains))].flat()
  return {
    process: Object.assign({ ...PROCESS_DEFAULTS }, ...parts),
    domains: configured.map((domain) => managed(domain, own, main)),
  }
}

function managed(configured: ConfiguredDomain, base: Readonly<DomainSettings>, main: Server): ManagedDomain {
  const settings = { ...base, ...configured.settings }
  const { authorities = [], challenges } = settings
  return {
    name: configured.domains[0],
    domains: [...configured.domains],
    contacts: contactsOf(settings.contact ?? adminOf(main)),
    transitive: settings.transitive ?? true,
    authorities: authorities.length === 0 ? [DEFAULT_AUTHORITY] : authorities,
    protocol: settings.protocol ?? 'ACME',
    agreement: settings.agreement,
    keys: settings.keys ?? [],
    renewMode: settings.renewMode ?? 'auto',
    renewWindow: settings.renewWindow ?? RENEW_WINDOW,
    warnWindow: settings.warnWindow ?? WARN_WINDOW,
    challenges: challenges === undefined || challenges.length === 0 ? undefined : challenges,
    requireHttps: settings.requireHttps ?? 'off',
    mustStaple: settings.mustStaple ?? false,
    stapling: settings.stapling ?? false,
    certificateFiles: configured.certificateFiles,
    keyFiles: configured.keyFiles,
    dnsCommand: settings.dnsCommand,
    proxyUrl: settings.proxyUrl,
    caFile: settings.caFile,
    proxyCaFile: settings.proxyCaFile,
    binding: settings.binding,
    profile: settings.profile,
    profileMandatory: settings.profileMandatory ?? false,
    renewByAri: settings.renewByAri ?? true,
    place: configured.place,
    servers: [],
    acmeTlsDomains: [],
    authority: undefined,
    account: undefined,
    state: STATES.unknown,
    stateText: undefined,
    certificates: [],
    watched: false,
  }
}

/** ServerAdmin of a server; undefined for the standard one. */
export function adminOf({ serverAdmin }: Server): string | undefined {
  return serverAdmin === null || serverAdmin === DEFAULT_ADMIN ? undefined : serverAdmin
}

/** The contact as a URL, which is that of mail unless it has a scheme. */
export function contactsOf(contact: string | undefined): readonly string[] {
  return contact === undefined || contact === '' ? [] : [withScheme(contact, 'mailto')]
}
