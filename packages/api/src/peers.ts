/**
 * What modules of this server, and the server itself, offer other modules by a key. Import from
 * `@gatewright/api/peers`. @module peers
 */

import type { SectionInfo } from './command.ts'
import type { Connection } from './connection.ts'
import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import type { MaybePromise } from './outcome.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'
import type { HostDecision, RequireNode, SectionOpinion } from './tracing.ts'

/** Offered by mod_authn_core: AuthType and AuthName in force, null when there is none. */
export const authTypeOf: OptionalFunction<(request: Request) => string | null> = optionalFunction('authn_core:auth_type')
/** Offered by mod_authn_core: AuthName in force, null when there is none. */
export const authNameOf: OptionalFunction<(request: Request) => string | null> = optionalFunction('authn_core:auth_name')

/** Offered by mod_access_compat: Satisfy for the request's method. */
export const satisfyOf: OptionalFunction<(request: Request) => 'all' | 'any' | 'unset'> =
  optionalFunction('access_compat:satisfy')

/** The Require tree in force, as reported by mod_authz_core. */
export interface RequireTree {
  /** The section merged last of those that contributed a Require. */
  readonly section: SectionInfo
  /** True when the tree holds nothing but all, ip, host, forward-dns and local. */
  readonly hostOnly: boolean
  /**
   * The tree itself.
   * @since 2.4.2
   */
  readonly root: RequireNode
  /**
   * Every section that contributed a Require, in the order of merging: more than one only with AuthMerging.
   * @since 2.4.5
   */
  readonly sections: readonly SectionInfo[]
}
/** Offered by mod_authz_core: the tree in force for a request, null when no Require applies. */
export const requireTreeOf: OptionalFunction<(request: Request) => RequireTree | null> =
  optionalFunction('authz_core:require_tree')

/**
 * A section of the server's files that contributes to Require trees, or drops inherited ones.
 * @since 2.4.5
 */
export interface RequireSection {
  /** The section itself. */
  readonly section: SectionInfo
  /** Its AuthMerging; undefined if it has none. */
  readonly merging: 'off' | 'and' | 'or' | undefined
  /** False for a section that has only `AuthMerging Off`. */
  readonly requires: boolean
  /** True if its tree consists only of all, ip, host, forward-dns and local. */
  readonly hostOnly: boolean
  /** True if its directives admit everybody. */
  readonly grantsAll: boolean
}

/**
 * Offered by mod_authz_core, from checkConfig on: the sections with Require directives or `AuthMerging Off`, in
 * file order.
 * @since 2.4.5
 */
export const requireSectionsOf: OptionalFunction<() => readonly RequireSection[]> =
  optionalFunction('authz_core:require_sections')

/**
 * Offered by mod_authz_core: the result for a request of the Require directives of one section alone; null if
 * it has none. For explanations.
 * @since 2.4.2
 */
export const requireOpinionOf: OptionalFunction<(request: Request, section: SectionInfo) => MaybePromise<SectionOpinion> | null> =
  optionalFunction('authz_core:opinion')

/**
 * Offered by mod_access_compat: the result of the host rules of one section alone; null if it has none. For
 * explanations.
 * @since 2.4.2
 */
export const hostDecisionOf: OptionalFunction<(request: Request, section: SectionInfo) => Promise<HostDecision | null> | null> =
  optionalFunction('access_compat:decision')

/**
 * Offered by mod_access_compat: its decision is final, an inherited Require tree is not evaluated
 * (AccessCompatPrecedence manual).
 */
export const hostRulesStandAlone: OptionalFunction<(request: Request) => boolean> = optionalFunction('access_compat:stand_alone')

/**
 * Offered by mod_authz_owner: name of the system group that owns the file, or why there is none, which it has
 * logged.
 */
export const fileGroupOf: OptionalFunction<(request: Request) => { readonly group: string } | { readonly reason: string }> =
  optionalFunction('authz_owner:file_group')

/**
 * A password hash, or the hash of a realm, that a provider found for a user, whether the password fits it or
 * not.
 * @suppliedByModules
 */
export interface FoundCredentials {
  /** As AuthnCacheProvideFor names it: `file`, whatever alias it goes by. */
  readonly provider: string
  /** Name of the user, as the client sent it. */
  readonly user: string
  /** Null for the hash of a password, the realm for one of Digest authentication. */
  readonly realm: string | null
  /** The hash as it is stored. */
  readonly hash: string
}

/**
 * Offered by mod_authn_socache: an authentication provider reports its result, so that it is consulted less
 * often.
 * @since 2.4.2
 */
export const storeCredentials: OptionalFunction<(request: Request, found: FoundCredentials) => void> =
  optionalFunction('authn_socache:store')

/**
 * How long one part of a request may take to arrive. Times in milliseconds.
 * @suppliedByModules
 */
export interface ReadTimeLimit {
  /** Time for the first byte, and without a rate for all of it. */
  readonly initial: number
  /** Bytes that arrive extend the time up to this; 0 for any time. */
  readonly longest: number
  /** Bytes that extend the time by a second; 0 when none do. */
  readonly rate: number
}

/**
 * How long reading a request may take; null for any time.
 * @suppliedByModules
 */
export interface RequestReadLimits {
  /** For request line and header fields. */
  readonly header: ReadTimeLimit | null
  /** For the body. */
  readonly body: ReadTimeLimit | null
}

/**
 * Offered by mod_reqtimeout: limits of a server in addition to its Timeout; null for none. Called once per
 * server.
 * @since 2.4.3
 */
export const requestReadLimitsOf: OptionalFunction<(server: Server) => RequestReadLimits | null> =
  optionalFunction('reqtimeout:limits')

/**
 * Offered by mod_reqtimeout: called for a request that took too long.
 * @since 2.4.3
 */
export const requestReadTimedOut: OptionalFunction<(connection: Connection, part: 'header' | 'body') => void> =
  optionalFunction('reqtimeout:timed_out')

/**
 * Whether a server has a name, at a port, by its ServerName, aliases and addresses; offered by the host.
 * @since 2.4.3
 */
export const servesName: OptionalFunction<(server: Server, name: string, port: number) => boolean> =
  optionalFunction('core:serves_name')

/** Byte counts of the exchange including heads (`%I`, `%O`), offered by the host. */
export const trafficOf: OptionalFunction<(request: Request) => { readonly received: number; readonly sent: number }> =
  optionalFunction('logio:traffic')
