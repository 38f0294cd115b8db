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

/** What a request has found out; nobody is known at first, and after a login that failed. */
export interface Remembered {
  readonly user: KnownUser | null
  /** The user's entry; null if it is not known. */
  readonly entry: LdapUser | null
}

/** Of requests. */
export interface UserMemory {
  get(request: Request): Remembered | undefined
  set(request: Request, known: Remembered): void
}

/** What is known of a request's user; the log shows when a request first asks. */
export function recall({ log }: Host, request: Request, memory: UserMemory): Remembered {
  return memory.get(request) ?? begin(log, request, memory)
}

/** Forgets what is known of a request's user. */
export function begin(log: Host['log'], request: Request, memory: UserMemory): Remembered {
  log.write(request, 'debug', 'AH01740', 'ldap authorize: Creating LDAP req structure')
  const nobody: Remembered = { user: null, entry: null }
  memory.set(request, nobody)
  return nobody
}

/** How a requirement uses the directory. */
export type Purpose = 'compare' | 'search' | 'both'

/** The module's host. */
export type Host = ModuleHost<AuthLdapConfig, AuthLdapServerConfig>

/** The account by which a requirement asks the directory. */
export function targetFor(config: UsableConfig, user: KnownUser | null, purpose: Purpose): LdapTarget {
  const asUser = (purpose === 'search' || config.comparesAsUser) && (purpose === 'compare' || config.searchesAsUser)
  const account =
    asUser && user !== null && user.password !== null
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

/** RFC 4511 section 4.5.1.8. */
const NO_ATTRIBUTES = ['1.1']

/** The search for the users of a URL. */
export function searchFor({ url }: UsableConfig, filter: string): LdapUserSearch {
  const attributes = url.attributes.length > 0 ? url.attributes : NO_ATTRIBUTES
  return { url: url.text, base: url.base, scope: url.scope, attributes, filter }
}

/** Sets the variables of a user's attributes. */
export function setVariables(request: Request, config: UsableConfig, prefix: string, { values }: LdapUser): void {
  for (const [index, name] of config.url.attributes.entries()) {
    request.env.set(prefix + name.toUpperCase(), values[index] ?? '')
  }
}

/**
 * Sets the variables of the user of a request, and the user's name if AuthLDAPRemoteUserAttribute says so.
 * @returns whether the attribute is among those of the URL, or is not wanted
 */
export function nameUser(request: Request, config: UsableConfig, entry: LdapUser): boolean {
  setVariables(request, config, 'AUTHENTICATE_', entry)
  if (config.remoteUserAttribute === undefined) return true
  const index = config.url.attributes.lastIndexOf(config.remoteUserAttribute)
  if (index < 0) return false
  // An entry without the attribute leaves the request without a user, which is an error.
  request.user = entry.values[index] ?? null
  return true
}
