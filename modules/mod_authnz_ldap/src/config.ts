import type { Pattern } from '@gatewright/api'
import type { LdapTarget } from '@gatewright/api/peers'
import type { Template } from '@gatewright/api/text'
import type { LdapScope } from '@gatewright/ldap'

/** AuthLDAPURL. */
export interface DirectoryUrl {
  /** As written: the key of the cache. */
  readonly text: string
  readonly hosts: string
  /** Of hosts without a port. */
  readonly port: number
  readonly security: LdapTarget['security']
  readonly base: string
  /** In which the name of the user is looked for. */
  readonly nameAttribute: string
  /** Those that the URL names: they become variables. */
  readonly attributes: readonly string[]
  readonly scope: LdapScope
  /** Without its outer parentheses. */
  readonly filter: string
}

/** AuthLDAPInitialBindPattern. */
export interface BindPattern {
  readonly pattern: Pattern
  readonly template: Template
}

/**
 * Configuration of one section. There is no merge function: a section with any of the directives inherits none, as in
 * httpd.
 */
export interface AuthLdapConfig {
  url?: DirectoryUrl
  bindDn?: string
  bindPassword?: string
  /** AuthLDAPBindAuthoritative. */
  isAuthoritative: boolean
  /** AuthLDAPRemoteUserIsDN. */
  remoteUserIsDn: boolean
  /** AuthLDAPRemoteUserAttribute. */
  remoteUserAttribute?: string
  /** AuthLDAPCompareDNOnServer. */
  comparesDnOnServer: boolean
  /** AuthLDAPGroupAttribute; empty for the default. */
  readonly groupAttributes: string[]
  /** AuthLDAPGroupAttributeIsDN. */
  groupAttributeIsDn: boolean
  /** AuthLDAPSubGroupAttribute; empty for the default. */
  readonly subgroupAttributes: string[]
  /** AuthLDAPSubGroupClass; empty for the default. */
  readonly subgroupClasses: string[]
  /** AuthLDAPMaxSubGroupDepth. */
  subgroupDepth: number
  /** AuthLDAPDereferenceAliases. */
  dereference: LdapTarget['dereference']
  /** AuthLDAPAuthorizePrefix. */
  authorizePrefix: string
  /** AuthLDAPInitialBindAsUser. */
  bindsAsUser: boolean
  bindPattern?: BindPattern
  /** AuthLDAPSearchAsUser. */
  searchesAsUser: boolean
  /** AuthLDAPCompareAsUser. */
  comparesAsUser: boolean
}

export function createConfig(): AuthLdapConfig {
  return {
    isAuthoritative: true,
    remoteUserIsDn: false,
    comparesDnOnServer: false,
    groupAttributes: [],
    groupAttributeIsDn: true,
    subgroupAttributes: [],
    subgroupClasses: [],
    subgroupDepth: 10,
    dereference: 'always',
    authorizePrefix: 'AUTHORIZE_',
    bindsAsUser: false,
    searchesAsUser: false,
    comparesAsUser: false,
  }
}

/** Configuration of the main server or a virtual host. */
export interface AuthLdapServerConfig {
  /** AuthLDAPCharsetConfig, absolute; undefined means not set. */
  charsetFile?: string
}

/** A configuration with an AuthLDAPURL. */
export type UsableConfig = Readonly<AuthLdapConfig> & { readonly url: DirectoryUrl }

export function isUsable(config: Readonly<AuthLdapConfig>): config is UsableConfig {
  return config.url !== undefined
}
