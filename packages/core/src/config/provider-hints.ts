import { nearestWord } from '../base/nearest-word.ts'
import type { RefusedLine } from './refusal-hints.ts'

/** The modules of httpd that provide the words of Require lines. */
const AUTHZ_HOMES: Readonly<Record<string, string>> = {
  'dbd-group': 'authz_dbd',
  'dbd-login': 'authz_dbd',
  'dbd-logout': 'authz_dbd',
  'dbm-file-group': 'authz_dbm',
  'dbm-group': 'authz_dbm',
  'file-group': 'authz_owner',
  'file-owner': 'authz_owner',
  'forward-dns': 'authz_host',
  group: 'authz_groupfile',
  host: 'authz_host',
  ip: 'authz_host',
  'ldap-attribute': 'authnz_ldap',
  'ldap-dn': 'authnz_ldap',
  'ldap-filter': 'authnz_ldap',
  'ldap-group': 'authnz_ldap',
  'ldap-search': 'authnz_ldap',
  'ldap-user': 'authnz_ldap',
  local: 'authz_host',
  ssl: 'ssl',
  'ssl-verify-client': 'ssl',
  user: 'authz_user',
  'valid-user': 'authz_user',
}

/** The modules of httpd that provide sources of passwords. */
const AUTHN_HOMES: Readonly<Record<string, string>> = {
  anon: 'authn_anon',
  dbd: 'authn_dbd',
  dbm: 'authn_dbm',
  file: 'authn_file',
  ldap: 'authnz_ldap',
  socache: 'authn_socache',
}

/** Advice about a provider that no loaded module registers. */
export function providerHint({ message, bound, context }: RefusedLine): string | undefined {
  const [, kind, name] = /^Unknown Auth([nz]) provider: (.*)$/.exec(message) ?? []
  if (name === undefined) return undefined
  const homes = kind === 'z' ? AUTHZ_HOMES : AUTHN_HOMES
  const { registry, providers } = context.configuration
  const home = homes[name.toLowerCase()]
  if (home !== undefined && registry.find(`${home}_module`) === undefined)
    return `${name} belongs to mod_${home}: LoadModule ${home}_module modules/mod_${home}.so`
  const loaded = kind === 'z' ? providers.authz.names() : providers.authn.names()
  if (kind === 'z' && nearestWord(name, ['granted', 'denied']) !== undefined)
    return `did you mean ${bound.name} all ${nearestWord(name, ['granted', 'denied'])}?`
  const near = nearestWord(name, [...loaded, ...Object.keys(homes)])
  if (near !== undefined) return `did you mean ${bound.name} ${near}?`
  const known = loaded.filter((one) => /^[\w-]+$/.test(one))
  return known.length === 0 ? undefined : `known here: ${known.join(', ')}`
}
