import { type Command, contexts, type DirectiveTable, directive, type SetResult } from '@gatewright/api'
import { compileTemplate } from '@gatewright/api/text'
import { readBindPassword } from './bind-password.ts'
import type { AuthLdapConfig, AuthLdapServerConfig } from './config.ts'
import { directoryUrl } from './directory-url.ts'

/** Most attributes or classes of groups, less one. */
const MOST_NAMES = 10

const HERE = { scope: 'directory', context: contexts.inSections, override: 'AuthConfig' } as const

function word(help: string, set: (config: AuthLdapConfig, word: string, command: Command) => SetResult) {
  return directive.take1({ ...HERE, help, set })
}

function flag(help: string, set: (config: AuthLdapConfig, on: boolean) => void) {
  return directive.flag({ ...HERE, help, set })
}

function names(help: string, list: (config: AuthLdapConfig) => string[], tooMany: string) {
  return directive.iterate({
    ...HERE,
    help,
    set: (config: AuthLdapConfig, name) => {
      if (list(config).length > MOST_NAMES) return tooMany
      list(config).push(name)
      return undefined
    },
  })
}

const DEREFERENCE: ReadonlyMap<string, AuthLdapConfig['dereference']> = new Map([
  ['never', 'never'],
  ['off', 'never'],
  ['searching', 'searching'],
  ['finding', 'finding'],
  ['always', 'always'],
  ['on', 'always'],
])

export const directives: DirectiveTable<AuthLdapConfig, AuthLdapServerConfig> = {
  AuthLDAPURL: directive.take12({
    ...HERE,
    help: 'ldap[s]://HOST[:PORT] .../BASE?ATTRIBUTES?SCOPE?FILTER of the users, and NONE, SSL or STARTTLS',
    set: (config: AuthLdapConfig, text, mode) => {
      const url = directoryUrl(text, mode)
      if (typeof url === 'string') return url
      config.url = url
      return undefined
    },
  }),
  AuthLDAPBindDN: word('DN of the account that searches; nobody without it', (config, dn) => {
    config.bindDn = dn
  }),
  AuthLDAPBindPassword: word('its password, or exec: and a command that prints it', (config, text, command) => {
    const read = readBindPassword(text, command)
    if (typeof read === 'string' || 'message' in read) return read
    config.bindPassword = read.password
    return undefined
  }),
  AuthLDAPBindAuthoritative: flag('Off asks other providers for users whose bind fails', (config, on) => {
    config.isAuthoritative = on
  }),
  AuthLDAPRemoteUserIsDN: flag('On makes the DN the name of the user', (config, on) => {
    config.remoteUserIsDn = on
  }),
  AuthLDAPRemoteUserAttribute: word('an attribute of AuthLDAPURL that becomes the name of the user', (config, name) => {
    config.remoteUserAttribute = name
  }),
  AuthLDAPCompareDNOnServer: flag('On compares DNs as the directory spells them, Off as texts', (config, on) => {
    config.comparesDnOnServer = on
  }),
  AuthLDAPSubGroupAttribute: names(
    'attributes of groups that name other groups; member and uniqueMember without it',
    (config) => config.subgroupAttributes,
    'Too many AuthLDAPSubGroupAttribute values',
  ),
  AuthLDAPSubGroupClass: names(
    'object classes of groups inside groups; groupOfNames and groupOfUniqueNames without it',
    (config) => config.subgroupClasses,
    'Too many AuthLDAPSubGroupClass values',
  ),
  AuthLDAPMaxSubGroupDepth: word('levels of groups inside groups that are looked at; 10 without it', (config, number) => {
    const depth = Number.parseInt(number, 10)
    config.subgroupDepth = Number.isNaN(depth) ? 0 : depth
  }),
  AuthLDAPGroupAttribute: names(
    'attributes of groups that name their users; member and uniqueMember without it',
    (config) => config.groupAttributes,
    'Too many AuthLDAPGroupAttribute directives',
  ),
  AuthLDAPGroupAttributeIsDN: flag('Off looks for the name of the user in groups, not for the DN', (config, on) => {
    config.groupAttributeIsDn = on
  }),
  AuthLDAPDereferenceAliases: word('when aliases are replaced: never, searching, finding or always', (config, when) => {
    const dereference = DEREFERENCE.get(when)
    if (dereference === undefined) return 'Unrecognized value for AuthLDAPDereferenceAliases directive'
    config.dereference = dereference
    return undefined
  }),
  AuthLDAPCharsetConfig: directive.take1({
    scope: 'server',
    context: contexts.inServers,
    help: 'file with the character sets of languages, in which browsers send names',
    set: (server: AuthLdapServerConfig, path, command) => {
      server.charsetFile = command.serverRelative(path)
    },
  }),
  AuthLDAPAuthorizePrefix: word('prefix of variables that Require sets; AUTHORIZE_ without it', (config, prefix) => {
    config.authorizePrefix = prefix
  }),
  AuthLDAPInitialBindAsUser: flag('On searches as the user who logs in', (config, on) => {
    config.bindsAsUser = on
  }),
  AuthLDAPInitialBindPattern: directive.take2({
    ...HERE,
    help: 'a pattern for names, and what becomes the DN of the first bind, with $1 to $9',
    set: (config: AuthLdapConfig, source, replacement, command) => {
      const pattern = command.services.pattern(source)
      if ('error' in pattern) return `AuthLDAPInitialBindPattern: cannot compile regular expression '${source}'`
      config.bindPattern = { pattern, template: compileTemplate(replacement) }
      return undefined
    },
  }),
  AuthLDAPSearchAsUser: flag('On lets Require search as the user who has logged in', (config, on) => {
    config.searchesAsUser = on
  }),
  AuthLDAPCompareAsUser: flag('On lets Require compare as the user who has logged in', (config, on) => {
    config.comparesAsUser = on
  }),
}
