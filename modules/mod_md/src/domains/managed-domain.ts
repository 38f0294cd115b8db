import type { Server } from '@gatewright/api'
import type { CommandLine } from '../command-line.ts'
import { DEFAULT_KEYS, type KeySpec, keySpecsJson } from '../key-specs.ts'
import type { Binding, HttpsDemand, RenewMode } from '../settings.ts'
import type { StoredCertificate } from '../store/credentials.ts'
import { sliceText, type TimeSlice } from '../time-slice.ts'

/** What is known of the certificates of a domain; httpd's numbers. */
export const STATES = { unknown: 0, incomplete: 1, complete: 2, error: 4, missing: 5 } as const
const RENEW_MODES = { manual: 0, auto: 1, always: 2 } as const

/** A group of names with one certificate of each kind. Complete after postConfig. */
export interface ManagedDomain {
  /** The first of its names, by which the store knows it. */
  name: string
  domains: readonly string[]
  contacts: readonly string[]
  readonly transitive: boolean
  /** URLs of CAs; never empty. */
  readonly authorities: readonly string[]
  readonly protocol: string
  readonly agreement: string | undefined
  /** Empty for the default. */
  readonly keys: readonly KeySpec[]
  renewMode: RenewMode
  readonly renewWindow: TimeSlice
  readonly warnWindow: TimeSlice
  /** As configured; undefined: those that are possible. */
  readonly challenges: readonly string[] | undefined
  readonly requireHttps: HttpsDemand
  readonly mustStaple: boolean
  readonly stapling: boolean
  readonly certificateFiles: readonly string[]
  readonly keyFiles: readonly string[]
  readonly dnsCommand: CommandLine | undefined
  readonly proxyUrl: string | undefined
  readonly caFile: string | undefined
  readonly proxyCaFile: string | undefined
  readonly binding: Binding | undefined
  readonly profile: string | undefined
  readonly profileMandatory: boolean
  readonly renewByAri: boolean
  readonly place: { readonly file: string; readonly line: number } | undefined
  /** Servers that use it. */
  readonly servers: Server[]
  /** Names that can be proven by tls-alpn-01. */
  acmeTlsDomains: readonly string[]
  /** The CA that issued the certificate, and the folder of its account. */
  authority: string | undefined
  account: string | undefined
  state: (typeof STATES)[keyof typeof STATES]
  stateText: string | undefined
  /** Those that are in use, undefined in the place of one that is missing. */
  certificates: readonly (StoredCertificate | undefined)[]
  /** True when the server looks after its certificates. */
  watched: boolean
}

/** The kinds of keys that it has certificates for. */
export function keysOf({ keys }: ManagedDomain): readonly KeySpec[] {
  return keys.length === 0 ? DEFAULT_KEYS : keys
}

/** True when the server obtains its certificates itself. */
export function renews({ renewMode, certificateFiles }: ManagedDomain): boolean {
  return renewMode === 'always' || (renewMode === 'auto' && certificateFiles.length === 0)
}

/** md.json, with its members in httpd's order. */
export function domainJson(md: ManagedDomain): Record<string, unknown> {
  const { requireHttps, binding, challenges } = md
  return {
    name: md.name,
    domains: md.domains,
    contacts: md.contacts,
    transitive: md.transitive ? 1 : 0,
    ca: {
      ...(md.account !== undefined && { account: md.account }),
      proto: md.protocol,
      ...(md.authority !== undefined && { url: md.authority }),
      urls: md.authorities,
      ...(md.agreement !== undefined && { agreement: md.agreement }),
      ...(challenges !== undefined && challenges.length > 0 && { challenges }),
    },
    ...(md.keys.length > 0 && { privkey: keySpecsJson(md.keys) }),
    state: md.state,
    ...(md.stateText !== undefined && { 'state-descr': md.stateText }),
    'renew-mode': RENEW_MODES[md.renewMode],
    'renew-window': sliceText(md.renewWindow),
    'warn-window': sliceText(md.warnWindow),
    ...(requireHttps !== 'off' && { 'require-https': requireHttps }),
    'must-staple': md.mustStaple,
    proto: { 'acme-tls/1': md.acmeTlsDomains },
    ...(md.certificateFiles.length > 0 && { 'cert-files': md.certificateFiles, 'pkey-files': md.keyFiles }),
    stapling: md.stapling,
    ...(md.dnsCommand !== undefined && { 'cmd-dns-01': md.dnsCommand.text }),
    ...(md.proxyUrl !== undefined && { 'proxy-url': md.proxyUrl }),
    ...(md.caFile !== undefined && { 'ca-certs': md.caFile }),
    ...(md.proxyCaFile !== undefined && { 'proxy-ca-certs': md.proxyCaFile }),
    ...(binding !== undefined && binding.kid !== 'none' && { eab: { kid: binding.kid, hmac: binding.hmac } }),
    ...(md.profile !== undefined && { profile: md.profile }),
    'profile-mandatory': md.profileMandatory,
    'ari-renewals': md.renewByAri,
  }
}

/** The same without what nobody may see. */
export function publicDomainJson(md: ManagedDomain): Record<string, unknown> {
  const json = domainJson(md)
  return 'eab' in json && md.binding !== undefined ? { ...json, eab: { kid: md.binding.kid, hmac: '***' } } : json
}
