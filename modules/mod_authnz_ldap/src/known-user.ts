import type { MaybePromise, ModuleHost, Request } from '@gatewright/api'
import { type LdapSession, type LdapTarget, type LdapUser, type LdapUserSearch, ldapSession } from '@gatewright/api/peers'
import type { AuthLdapConfig, AuthLdapServerConfig, UsableConfig } from './config.ts'

/** What is known of the user of a request. */
export interface KnownUser {
  /** '' for an entry without a name, which no requirement grants. */
  readonly dn: string
  /** The name as it was typed. */
  readonly name: string
  /** The password with which the user has logged in by this module; null if another one checked it. */
  readonly password: string | null
}

/** How a requirement uses the directory. */
export type Purpose = 'compare' | 'search' | 'both'

/** The module's host. */
export type Host = ModuleHost<AuthLdapConfig, AuthLdapServerConfig>

/** The account by which a requirement asks the directory. */
export function targetFor(config: UsableConfig, user: KnownUser | undefined, purpose: Purpose): LdapTarget {
  const asUser = (purpose === 'search' || config.comparesAsUser) && (purpose === 'compare' || config.searchesAsUser)
  const account =
    asUser && user !== undefined && user.password !== null
      ? { bindDn: user.dn, bindPassword: user.password }
      : { bindDn: config.bindDn ?? null, bindPassword: config.bindPassword ?? null }
  return { ...directoryOf(config), ...account }
}

/** The directory, without an account. */
export function directoryOf({ url, dereference }: UsableConfig): Omit<LdapTarget, 'bindDn' | 'bindPassword'> {
  return { hosts: url.hosts, port: url.port, security: url.security, dereference }
}

/** Opens a session, and closes it when the work is done. @returns null without mod_ldap */
export function withSession<T>(
  { functions }: Host,
  request: Request,
  target: LdapTarget,
  work: (session: LdapSession) => Promise<T>,
): MaybePromise<T> | null {
  const session = functions.get(ldapSession)?.(request, target)
  return session === undefined ? null : work(session).finally(() => session.close())
}

/** The search for the users of a URL. */
export function searchFor({ url }: UsableConfig, filter: string): LdapUserSearch {
  return { url: url.text, base: url.base, scope: url.scope, attributes: url.attributes, filter }
}

/**
 * Sets the variables of a user's attributes, and the user's name if one of them becomes it.
 * @returns whether it did
 */
export function setVariables(request: Request, config: UsableConfig, prefix: string, { values }: LdapUser): boolean {
  let isNamed = false
  for (const [index, name] of config.url.attributes.entries()) {
    const value = values[index] ?? null
    request.env.set(prefix + name.toUpperCase(), value ?? '')
    if (config.remoteUserAttribute === name) {
      // An entry without the attribute leaves the request without a user, which is an error.
      request.user = value
      isNamed = true
    }
  }
  return isNamed
}
