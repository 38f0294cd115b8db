import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { MaybePromise } from './outcome.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'

/**
 * A directory and the account by which it is asked.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface LdapTarget {
  /** Hosts as in an LDAP URL, separated by blanks; one is asked after the other. */
  readonly hosts: string
  /** Of hosts without a port. */
  readonly port: number
  /** `ssl` speaks TLS at once, `starttls` after asking for it; null for what LDAPTrustedMode says. */
  readonly security: 'none' | 'ssl' | 'starttls' | null
  /** Null for nobody. */
  readonly bindDn: string | null
  /** Null without one. */
  readonly bindPassword: string | null
  /** When the directory replaces aliases by the entries that they name. */
  readonly dereference: 'never' | 'searching' | 'finding' | 'always'
}

/**
 * A search for one entry. Text is bytes.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface LdapUserSearch {
  /** The URL of the configuration, by which answers are cached. */
  readonly url: string
  /** DN of the entry where the search begins. */
  readonly base: string
  /** How far it goes. */
  readonly scope: 'base' | 'one' | 'sub'
  /** The attributes whose values are wanted; empty for all. */
  readonly attributes: readonly string[]
  /** RFC 4515, with escaped values. */
  readonly filter: string
}

/**
 * What a directory, or the cache of its answers, says.
 * @since 2.4.6
 */
export interface LdapOutcome {
  /** A result code of RFC 4511, or a negative one of OpenLDAP's client library. */
  readonly code: number
  /** What was done, in the words of httpd's messages. */
  readonly reason: string
}

/**
 * An entry that a search has found.
 * @since 2.4.6
 */
export interface LdapUser {
  /** Its DN, as the directory spells it. */
  readonly dn: string
  /** For each attribute of the search its values, joined with `; `; null without one. */
  readonly values: readonly (string | null)[]
}

/**
 * The result of a search for one entry.
 * @since 2.4.6
 */
export interface LdapUserOutcome extends LdapOutcome {
  /** Null unless the code is that of success. */
  readonly user: LdapUser | null
}

/**
 * How groups inside a group are recognised.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface LdapSubgroups {
  /** Attributes of a group that name other groups. */
  readonly attributes: readonly string[]
  /** Object classes of groups. */
  readonly classes: readonly string[]
  /** How many levels are looked at. */
  readonly depth: number
}

/**
 * Questions of one request to a directory. A connection is taken when the first question needs one. No promise rejects:
 * what fails is a code.
 * @since 2.4.6
 */
export interface LdapSession {
  /** Searches for exactly one entry, and checks that a password is good for it. The password must not be empty. */
  checkUser(search: LdapUserSearch, password: string): MaybePromise<LdapUserOutcome>
  /** Searches for exactly one entry. */
  findUser(search: LdapUserSearch): MaybePromise<LdapUserOutcome>
  /** Whether an attribute of an entry has a value, by the directory's rules. */
  compare(url: string, dn: string, attribute: string, value: string): MaybePromise<LdapOutcome>
  /** Whether a DN is the one that is required: here as a text, or as the directory spells it. */
  compareDn(url: string, dn: string, required: string, onServer: boolean): MaybePromise<LdapOutcome>
  /** Whether a value is that of an attribute of a group inside a group. */
  inSubgroups(url: string, group: string, attribute: string, value: string, subgroups: LdapSubgroups): MaybePromise<LdapOutcome>
  /** Gives the connection back. Must be called. */
  close(): void
}

/**
 * Offered by mod_ldap: opens a session; httpd's `uldap_connection_find` and the functions beside it.
 * @since 2.4.6
 */
export const ldapSession: OptionalFunction<(request: Request, target: LdapTarget) => LdapSession> =
  optionalFunction('ldap:session')

/**
 * Offered by mod_ldap, for checks of configurations: how a connection that leaves it to LDAPTrustedMode is secured.
 * @since 2.4.6
 */
export const ldapTrustedMode: OptionalFunction<(server: Server) => 'none' | 'ssl' | 'starttls'> =
  optionalFunction('ldap:trusted_mode')
