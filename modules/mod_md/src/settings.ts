import type { CommandLine } from './command-line.ts'
import type { KeySpec } from './key-specs.ts'
import { LIFE_NORM, type TimeSlice } from './time-slice.ts'

/** MDExternalAccountBinding; `kid` is `none` without a binding. */
export interface Binding {
  readonly kid: string
  readonly hmac: string
}

export type RenewMode = 'manual' | 'auto' | 'always'
export type HttpsDemand = 'off' | 'temporary' | 'permanent'

/** What may be set for all domains or for one. */
export interface DomainSettings {
  transitive?: boolean
  requireHttps?: HttpsDemand
  renewMode?: RenewMode
  mustStaple?: boolean
  keys?: readonly KeySpec[]
  renewWindow?: TimeSlice
  warnWindow?: TimeSlice
  authorities?: readonly string[]
  contact?: string
  protocol?: string
  agreement?: string
  challenges?: readonly string[]
  binding?: Binding
  profile?: string
  profileMandatory?: boolean
  stapling?: boolean
  stapleOthers?: boolean
  renewByAri?: boolean
  dnsCommand?: CommandLine
  proxyUrl?: string
  caFile?: string
  proxyCaFile?: string
}

/** What there is once for the whole server. Times in milliseconds. */
export interface ProcessSettings {
  storeDir: string
  /** The local port of port 80; 0 when it cannot be reached. */
  localHttp: number
  localHttps: number
  manageBaseServer: boolean
  notifyCommand: CommandLine | undefined
  messageCommand: CommandLine | undefined
  dnsCommand: CommandLine | undefined
  dnsVersion: '1' | '2'
  activationDelay: number
  proxyUrl: string | undefined
  caFile: string | undefined
  proxyCaFile: string | undefined
  serverStatus: boolean
  certificateStatus: boolean
  monitorName: string
  monitorUrl: string
  initialDelay: number
  checkInterval: number
  retryDelay: number
  retryFailover: number
  matchNames: 'all' | 'servernames'
}

/** A group of names with one certificate, as configured. */
export interface ConfiguredDomain {
  readonly domains: string[]
  readonly settings: DomainSettings
  readonly certificateFiles: string[]
  readonly keyFiles: string[]
  /** Where an MDomain line is; undefined for a section, whose place httpd does not keep. */
  readonly place: { readonly file: string; readonly line: number } | undefined
}

/** Configuration of a server. */
export interface MdSettings {
  readonly own: DomainSettings
  readonly process: Partial<ProcessSettings>
  readonly domains: ConfiguredDomain[]
  /** The section whose lines are being read. */
  current: ConfiguredDomain | null
}

const HALF_A_DAY = 43_200_000

export const PROCESS_DEFAULTS: Readonly<ProcessSettings> = {
  storeDir: 'md',
  localHttp: 80,
  localHttps: 443,
  manageBaseServer: false,
  notifyCommand: undefined,
  messageCommand: undefined,
  dnsCommand: undefined,
  dnsVersion: '1',
  activationDelay: 0,
  proxyUrl: undefined,
  caFile: undefined,
  proxyCaFile: undefined,
  serverStatus: false,
  certificateStatus: true,
  monitorName: 'crt.sh',
  monitorUrl: 'https://crt.sh?q=',
  initialDelay: 0,
  checkInterval: HALF_A_DAY,
  retryDelay: 30_000,
  retryFailover: 13,
  matchNames: 'all',
}

export const RENEW_WINDOW: TimeSlice = { norm: LIFE_NORM, length: (LIFE_NORM * 33) / 100 }
export const WARN_WINDOW: TimeSlice = { norm: LIFE_NORM, length: LIFE_NORM / 10 }

export function createSettings(): MdSettings {
  return { own: {}, process: {}, domains: [], current: null }
}

/** What a virtual host sets comes before what the main server sets. Domains belong to the server that defines them. */
export function mergeSettings(base: Readonly<MdSettings>, over: Readonly<MdSettings>): MdSettings {
  return {
    own: { ...base.own, ...over.own },
    process: over.process,
    domains: over.domains,
    current: null,
  }
}
