/**
 * Functions that modules of this server, and the server itself, provide to other modules by a key. Import
 * from `@gatewright/api/peers`. @module peers
 */

import type { ConnectionOptions, TLSSocket } from 'node:tls'
import type { SectionInfo } from './command.ts'
import type { Connection } from './connection.ts'
import { type OptionalFunction, optionalFunction } from './optional-functions.ts'
import { type OptionalHook, optionalHook } from './optional-hooks.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { ProxyBalancer, ProxyMember } from './proxy-balancer.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'
import type { SharedRecord, SharedRecordShape } from './shared-record.ts'
import type { DecisionTracer, HostDecision, RequireNode, SectionOpinion } from './tracing.ts'

export * from './database-functions.ts'
export * from './forwarding-peer.ts'
export * from './found-credentials.ts'
export * from './ldap-session.ts'

/** Provided by mod_authn_core: the AuthType in force, null if there is none. */
export const authTypeOf: OptionalFunction<(request: Request) => string | null> = optionalFunction('authn_core:auth_type')
/** Provided by mod_authn_core: the AuthName in force, null if there is none. */
export const authNameOf: OptionalFunction<(request: Request) => string | null> = optionalFunction('authn_core:auth_name')

/** Provided by mod_access_compat: Satisfy for the request's method. */
export const satisfyOf: OptionalFunction<(request: Request) => 'all' | 'any' | 'unset'> =
  optionalFunction('access_compat:satisfy')

/** The Require tree in force, as reported by mod_authz_core. */
export interface RequireTree {
  /** The last merged of the sections that contributed a Require. */
  readonly section: SectionInfo
  /** True if the tree consists only of all, ip, host, forward-dns and local. */
  readonly hostOnly: boolean
  /**
   * The tree itself.
   * @since 2.4.2
   */
  readonly root: RequireNode
  /**
   * Every section that contributed a Require, in the order of merging; more than one only with AuthMerging.
   * @since 2.4.5
   */
  readonly sections: readonly SectionInfo[]
}
/** Provided by mod_authz_core: the tree in force for a request, null if no Require applies. */
export const requireTreeOf: OptionalFunction<(request: Request) => RequireTree | null> =
  optionalFunction('authz_core:require_tree')

/**
 * A section of the server's files that contributes to Require trees or drops inherited ones.
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
  /** True if its directives grant access to everyone. */
  readonly grantsAll: boolean
}

/**
 * Provided by mod_authz_core, from checkConfig on: the sections with Require directives or `AuthMerging Off`,
 * in file order.
 * @since 2.4.5
 */
export const requireSectionsOf: OptionalFunction<() => readonly RequireSection[]> =
  optionalFunction('authz_core:require_sections')

/**
 * Provided by mod_authz_core: the result for a request of the Require directives of one section alone; null
 * if it has none. For explanations.
 * @since 2.4.2
 */
export const requireOpinionOf: OptionalFunction<(request: Request, section: SectionInfo) => MaybePromise<SectionOpinion> | null> =
  optionalFunction('authz_core:opinion')

/**
 * Provided by mod_access_compat: the result of the host rules of one section alone; null if it has none. For
 * explanations.
 * @since 2.4.2
 */
export const hostDecisionOf: OptionalFunction<(request: Request, section: SectionInfo) => Promise<HostDecision | null> | null> =
  optionalFunction('access_compat:decision')

/**
 * Provided by mod_access_compat: whether its decision is final, so that an inherited Require tree is not
 * evaluated (AccessCompatPrecedence manual).
 */
export const hostRulesStandAlone: OptionalFunction<(request: Request) => boolean> = optionalFunction('access_compat:stand_alone')

/**
 * Run by mod_authz_core and mod_access_compat for each request that they decide about: who receives the steps of the
 * decision, as the tracer of an explanation does; null for nobody. The decision is the same.
 * @since 2.4.6
 */
export const observeDecision: OptionalHook<(request: Request) => DecisionTracer | null> = optionalHook('authz_core:observe')

/**
 * Provided by mod_authz_owner: name of the system group that owns the file, or the reason why there is none,
 * which it has logged.
 */
export const fileGroupOf: OptionalFunction<(request: Request) => { readonly group: string } | { readonly reason: string }> =
  optionalFunction('authz_owner:file_group')

/**
 * Offered by mod_proxy: another module may pass a request on by `proxyRequest`, the handler `proxy-server` and a file name
 * `proxy:URL` ({@link Request}).
 * @since 2.4.6
 */
export const proxyServes: OptionalFunction<() => true> = optionalFunction('proxy:serves')

/**
 * The time limit for receiving one part of a request. Times in milliseconds.
 * @suppliedByModules
 */
export interface ReadTimeLimit {
  /** Time for the first byte; without a rate, time for the whole part. */
  readonly initial: number
  /** The longest time that arriving bytes can extend it to; 0 for no limit. */
  readonly longest: number
  /** Bytes that extend the time by one second; 0 if bytes do not extend it. */
  readonly rate: number
}

/**
 * The time limits for reading a request; null for no limit.
 * @suppliedByModules
 */
export interface RequestReadLimits {
  /** For request line and header fields. */
  readonly header: ReadTimeLimit | null
  /** For the body. */
  readonly body: ReadTimeLimit | null
  /**
   * For the handshake of TLS; no limit if absent.
   * @since 2.4.6
   */
  readonly handshake?: ReadTimeLimit | null
}

/**
 * Provided by mod_reqtimeout: limits of a server in addition to its Timeout; null for none. Called once per
 * server.
 * @since 2.4.3
 */
export const requestReadLimitsOf: OptionalFunction<(server: Server) => RequestReadLimits | null> =
  optionalFunction('reqtimeout:limits')

/**
 * Provided by mod_reqtimeout: called for a request that exceeded its time limit.
 * @since 2.4.3
 */
export const requestReadTimedOut: OptionalFunction<(connection: Connection, part: 'header' | 'body') => void> =
  optionalFunction('reqtimeout:timed_out')

/**
 * Provided by mod_reqtimeout: called for a connection whose handshake exceeded its time limit, before it is closed.
 * @since 2.4.6
 */
export const handshakeTimedOut: OptionalFunction<(connection: Connection) => void> = optionalFunction('reqtimeout:handshake')

/**
 * Provided by the host: whether a server has a name at a port, according to its ServerName, aliases and
 * addresses.
 * @since 2.4.3
 */
export const servesName: OptionalFunction<(server: Server, name: string, port: number) => boolean> =
  optionalFunction('core:serves_name')

/** Provided by the host: byte counts of the exchange including heads (`%I`, `%O`). */
export const trafficOf: OptionalFunction<(request: Request) => { readonly received: number; readonly sent: number }> =
  optionalFunction('logio:traffic')

/**
 * Provided by the host: the protocol for a connection, by the Protocols and ProtocolsHonorOrder directives of a
 * server and by the modules that add protocols. HTTP/1.1 is possible for every client that offers it.
 * @param server the one that was chosen by `serverName`
 * @param serverName the name that the client asked for (SNI), as sent; null if it sent none
 * @param offers what the client offers, in its order
 * @returns null if nothing that the client offers is possible
 * @since 2.4.6
 */
export const chooseProtocol: OptionalFunction<
  (connection: Connection, server: Server, serverName: string | null, offers: readonly string[]) => string | null
> = optionalFunction('core:choose_protocol')

/**
 * Offered by a module that secures connections: the scheme of the URLs of a server, null where ServerName
 * decides. Asked once per server, after postConfig.
 * @since 2.4.6
 */
export const schemeOf: OptionalFunction<(server: Server) => 'http' | 'https' | null> = optionalFunction('ssl:scheme')

/**
 * Offered by mod_ssl: a variable by its name, any of TLS (`SSL_PROTOCOL`), `HTTPS`, or one of the request that
 * SSLUserName knows; '' when it has no value.
 * @since 2.4.6
 */
export const tlsValueOf: OptionalFunction<(request: Request, name: string) => string> = optionalFunction('ssl:value')

/**
 * What is known of a TLS connection after its handshake. Certificates are DER.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface TlsView {
  /** `TLSv1.2` or `TLSv1.3`. */
  readonly protocol: string
  /** OpenSSL's name of the cipher suite. */
  readonly cipher: string
  /** Bits of the cipher's key that are secret. */
  readonly cipherKeyBits: number
  /** Bits that keys of the cipher's algorithm have. */
  readonly cipherAlgorithmBits: number
  /** True for a resumed session. */
  readonly sessionReused: boolean
  /** The session's identifier in hexadecimal; '' when there is none. */
  readonly sessionId: string
  /** The name that the client asked for (SNI), null when it sent none. */
  readonly serverName: string | null
  /** The certificate that the server presented. */
  readonly serverCertificate: Uint8Array | null
  /** The client's certificate, null when it sent none. */
  readonly clientCertificate: Uint8Array | null
  /** Certificates that the client sent beside its own, in their order. */
  readonly clientChain: readonly Uint8Array[]
  /**
   * Result of verifying the client's certificate: `ok`, or OpenSSL's reason. `ok` without certificate as well.
   */
  readonly verifyResult: string
}

/**
 * Offered by the module that secures connections: null for a connection in the clear. The same object as long
 * as nothing is negotiated again.
 * @since 2.4.6
 */
export const connectionTls: OptionalFunction<(connection: Connection) => TlsView | null> = optionalFunction('ssl:connection')

/**
 * What a server asks of TLS clients, and which certificates it has for them.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface TlsServer {
  /** SSLVerifyClient. */
  readonly verifyClient: 'none' | 'optional' | 'require' | 'optional_no_ca'
  /** SSLVerifyDepth. */
  readonly verifyDepth: number
  /** Its certificates without those of their issuers. */
  readonly certificates: readonly TlsServerCertificate[]
}

/**
 * A certificate of a server.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface TlsServerCertificate {
  /** Absolute path of its file. */
  readonly file: string
  /** The certificate in DER. */
  readonly der: Uint8Array
  /**
   * What handshakes in this process present: another certificate where a tool cannot have the key, because another user
   * owns it or a pass phrase protects it. Absent: `der`.
   */
  readonly presented?: Uint8Array
}

/**
 * Offered by the module that secures connections, for tools: null for a server whose connections are in the clear.
 * Asked after postConfig.
 * @since 2.4.6
 */
export const tlsServerOf: OptionalFunction<(server: Server) => TlsServer | null> = optionalFunction('ssl:server')

/**
 * Files of certificates and keys for a server, in pairs; empty lists where a tool (`StartContext.checkOnly`) cannot see
 * them, because they are made at the start or another user owns them.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface CertificateFiles {
  /** Absolute paths of PEM files, each a certificate and those of its issuers. */
  readonly certificates: readonly string[]
  /** The private keys, in the same order. */
  readonly keys: readonly string[]
}

/**
 * Run by mod_ssl in postConfig for each server with SSLEngine on, httpd's hook `ssl_add_cert_files`: files of a
 * module, which come after those that are configured; null for none. The first function with files counts.
 * @since 2.4.6
 */
export const addCertificateFiles: OptionalHook<(server: Server) => CertificateFiles | null> = optionalHook('ssl:add_cert_files')

/**
 * The same for a server that has no certificate otherwise, httpd's hook `ssl_add_fallback_cert_files`: handshakes
 * succeed, and each request is answered with 503.
 * @since 2.4.6
 */
export const addFallbackCertificateFiles: OptionalHook<(server: Server) => CertificateFiles | null> =
  optionalHook('ssl:add_fallback_cert_files')

/**
 * A certificate that answers a challenge, with its key; both PEM.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ChallengeCertificate {
  /** The certificate alone. */
  readonly certificate: string
  /** Its private key, without a pass phrase. */
  readonly key: string
}

/**
 * Run by mod_ssl for a connection that will speak a protocol of a module, before the handshake; httpd's hook
 * `ssl_answer_challenge`: the certificate to present in the place of the server's own, null for that one.
 * @since 2.4.6
 */
export const answerChallenge: OptionalHook<
  (connection: Connection, protocol: string, serverName: string | null) => ChallengeCertificate | null
> = optionalHook('ssl:answer_challenge')

/**
 * Run by mod_ssl in postConfig for each server with SSLEngine on: whether a module wants OCSP responses to be sent
 * along with the server's certificates although SSLUseStapling is off, as httpd's `ssl_init_stapling_status`.
 * @since 2.4.6
 */
export const wantsStapling: OptionalHook<(server: Server) => boolean> = optionalHook('ssl:wants_stapling')

/**
 * How connections to one back end are secured. It keeps nothing of a request: connections outlive requests.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface OutgoingTls {
  /** Equal where a connection may serve the one as well as the other: the same settings, and the same name of the back end. */
  readonly key: string
  /** The options of `tls.connect`, except for the socket. Asked for each connection. @throws Error if there are none */
  options(): ConnectionOptions
  /** Judges the back end after the handshake, and logs what is wrong with it. @returns why it is refused, or null */
  check(socket: TLSSocket): string | null
  /** Logs a handshake that failed. @param cause null if time was up */
  failed(cause: Error | null): void
}

/**
 * Offered by a module that secures connections to back ends, httpd's `ssl_bind_outgoing`: how the connections for a
 * request are secured; null where its configuration does not want that (SSLProxyEngine).
 * @param hostname by which the back end is known, in lower case: its certificate has to be for this name
 * @since 2.4.6
 */
export const outgoingTls: OptionalFunction<(request: Request, hostname: string) => OutgoingTls | null> =
  optionalFunction('ssl:outgoing')

/**
 * Offered by mod_proxy, from checkConfig on: the balancers of a server's configuration, with those that it inherits from
 * the main server.
 * @since 2.4.6
 */
export const balancersOf: OptionalFunction<(server: Server) => readonly ProxyBalancer[]> = optionalFunction('proxy:balancers')

/**
 * Offered by mod_proxy_balancer: elects the member for a request; httpd's hook `pre_request`.
 * @param url what follows `balancer:`
 * @returns the status that refuses the request if no member can serve it; the reason was logged
 * @since 2.4.6
 */
export const electMember: OptionalFunction<
  (request: Request, balancer: ProxyBalancer, url: string) => MaybePromise<ElectedMember | Outcome>
> = optionalFunction('proxy_balancer:pre_request')

/**
 * The member for a request.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ElectedMember {
  /** The member. */
  readonly member: ProxyMember
  /** The URL to ask it for. */
  readonly url: string
}

/**
 * Offered by mod_proxy_balancer: called when the last member of a request has answered or failed, with the status of its
 * response or of the failure in the request; httpd's hook `post_request`.
 * @param timedOut whether it did not answer in time
 * @since 2.4.6
 */
export const memberAnswered: OptionalFunction<
  (request: Request, balancer: ProxyBalancer, member: ProxyMember, timedOut: boolean) => void
> = optionalFunction('proxy_balancer:post_request')

/**
 * Offered by mod_slotmem_shm: the records in which mod_proxy keeps what it finds of balancers and their members. Without
 * it, each process keeps its own.
 * @since 2.4.6
 */
export const sharedSlots: OptionalFunction<(name: string, shape: SharedRecordShape) => SharedRecord> =
  optionalFunction('slotmem_shm:record')

export {
  type HeartbeatAddress,
  type HeartbeatServer,
  heartbeatAddress,
  heartbeatFields,
  heartbeatServers,
  resolvedHeartbeatAddress,
} from './heartbeat.ts'
export {
  allowsHttp2Upgrade,
  type Http2Settings,
  type Http2Stream,
  http2SettingsOf,
  http2StreamOf,
} from './http2.ts'
export { type IncludeElement, includeElement } from './include-element.ts'
export * from './sessions.ts'
export * from './sniffed-charset.ts'
export * from './status-hooks.ts'
