import type { LdapTarget } from '@gatewright/api/peers'
import { parseLdapUrl } from '@gatewright/ldap'
import type { DirectoryUrl } from './config.ts'

const MODES: ReadonlyMap<string, NonNullable<LdapTarget['security']>> = new Map([
  ['none', 'none'],
  ['ssl', 'ssl'],
  ['tls', 'starttls'],
  ['starttls', 'starttls'],
])

/** Parses the arguments of AuthLDAPURL. @returns an error text if they are wrong */
export function directoryUrl(text: string, mode: string | undefined): DirectoryUrl | string {
  const url = parseLdapUrl(text)
  if ('error' in url) return url.error
  const security = mode === undefined ? null : MODES.get(mode.toLowerCase())
  if (security === undefined) return 'Invalid LDAP connection mode setting: must be one of NONE, SSL, or TLS/STARTTLS'
  // The scheme counts more than the mode.
  const isSecured = text.slice(0, 5).toLowerCase() === 'ldaps'
  return {
    text,
    hosts: url.hosts === '' ? 'localhost' : url.hosts,
    port: url.port || (isSecured ? 636 : 389),
    security: isSecured ? 'ssl' : security,
    base: url.base ?? '',
    nameAttribute: url.attributes[0] ?? 'uid',
    attributes: url.attributes,
    // httpd searches the whole branch for `base`, too, as its manual says.
    scope: url.scope === 'one' ? 'one' : 'sub',
    filter: url.filter === null ? 'objectclass=*' : withoutParentheses(url.filter),
  }
}

/** The last character goes with the first, whatever it is, as in httpd. */
function withoutParentheses(filter: string): string {
  return filter.startsWith('(') ? filter.slice(1, -1) : filter
}
