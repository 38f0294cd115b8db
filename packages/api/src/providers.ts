import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { Command } from './command.ts'
import type { Connection } from './connection.ts'
import type { DatabaseDriver } from './database.ts'
import type { DecisionBasis } from './hooks.ts'
import type { InputFilter } from './input-filter.ts'
import type { LintRule } from './lint-rule.ts'
import type { MaybePromise } from './outcome.ts'
import type { OutputFilter } from './output-filter.ts'
import type { Problem } from './problem.ts'
import type { ProxyScheme } from './proxy.ts'
import type { ProxyBalancerMethod, ProxyWorkerParameter } from './proxy-balancer.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'
import type { ServerCommand } from './server-command.ts'
import type { SharedStore } from './shared-store.ts'

/** The decision of an authorization provider. */
export type AuthzStatus = 'granted' | 'denied' | 'neutral' | 'denied-no-user' | 'general-error'

/**
 * Decides about one request. `denied-no-user` means that the decision depends on a user: authenticate one.
 */
export type AuthzCheck = (request: Request) => MaybePromise<AuthzStatus>

/**
 * One form of `Require NAME ...`. Group `authz`.
 * @suppliedByModules
 */
export interface AuthzProvider {
  /**
   * Compiles the arguments of a Require line once, at load.
   * @param argument the text after the provider's name, as written
   * @returns the check, or what is wrong with the arguments
   */
  parse(argument: string, command: Command): AuthzCheck | string | Problem
  /**
   * Combines several checks, all made by this provider's `parse`, into one that grants access if one of them
   * does and denies it otherwise. Only for checks that grant or deny synchronously. Without this function,
   * each check runs in turn.
   * @since 2.4.1
   */
  anyOf?(checks: readonly AuthzCheck[]): AuthzCheck
  /**
   * What its decisions depend on; `request` if absent: see {@link HookOrder}.
   * @since 2.4.5
   */
  readonly decidesBy?: DecisionBasis
}

/**
 * The result of an authentication provider for a user and a password; `not-found` passes the user to the next
 * provider.
 */
export type AuthnStatus = 'granted' | 'denied' | 'not-found' | 'general-error'

/**
 * A source of user names and passwords (`AuthBasicProvider NAME`). Group `authn`.
 * @suppliedByModules
 */
export interface AuthnProvider {
  /** Absent if the provider does not support Basic authentication. Passwords are byte strings. */
  checkPassword?(request: Request, user: string, password: string): MaybePromise<AuthnStatus>
  /**
   * The costliest of the hashes that `checkPassword` verifies against (`services.costliestHash`), for
   * passwords of unknown users. Absent, or returns undefined, if there are none.
   * @since 2.4.3
   */
  decoy?(request: Request): string | undefined
  /**
   * MD5 hash of `user:realm:password` in hexadecimal; absent if the provider does not support Digest
   * authentication.
   */
  realmHash?(request: Request, user: string, realm: string): MaybePromise<string | 'not-found' | 'general-error'>
  /**
   * The user names known for a request, for explanations; empty if they cannot be determined. Logs nothing.
   * @since 2.4.2
   */
  userNames?(request: Request): readonly string[]
  /**
   * What its decisions depend on; `request` if absent: see {@link HookOrder}.
   * @since 2.4.5
   */
  readonly decidesBy?: DecisionBasis
}

/**
 * Names that a module adds to the expression language (`<If>`, `Require expr`, `%{...}`); httpd's hook
 * `expr_lookup`. Each function is called once per name while an expression is parsed, and returns undefined for
 * names that it does not know. A variable of a module takes precedence over the server's own, `HTTPS` for example;
 * functions do not. Values are byte strings; a missing one is ''.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ExpressionNames {
  /** `%{NAME}`; the name is in upper case. */
  variable?(name: string): ((request: Request) => string) | undefined
  /** `name(word)` and `%{name:text}`; the name is in lower case. */
  stringFunction?(name: string): ((request: Request, argument: string) => string) | undefined
  /** `word in name(word)`; the name is in lower case. */
  listFunction?(name: string): ((request: Request, argument: string) => readonly string[]) | undefined
}

/** Receives a connection from the layer that took it. */
export interface LayerSink {
  /**
   * Requests are now spoken over `socket`.
   * @param received bytes that were read already: the start of the input
   * @param scheme that of the URLs of the requests, if it is not that of their servers: `http` for a client of a
   *   secured server that does not use TLS
   */
  ready(socket: Socket, received: Uint8Array | null, scheme?: 'http' | 'https'): void
  /**
   * The protocol that was chosen for the connection ({@link peers!chooseProtocol | chooseProtocol}) is now spoken
   * over `socket`: `http/1.1`, or one of {@link Providers.protocols}.
   * @param server the one that was chosen by the name that the client asked for; that of the address if absent
   */
  speak(protocol: string, socket: Socket, server?: Server): void
}

/**
 * A request that a protocol makes of what its client said. Text is latin1.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ProtocolRequest {
  /** As in a request of HTTP, in the case that counts there: `GET`. */
  readonly method: string
  /** A path with an optional query: `/folder/file?a=b`. */
  readonly target: string
  /** Host chooses the virtual host. */
  readonly fields?: readonly (readonly [name: string, value: string])[]
  /** Absent for a request without a body. */
  readonly body?: Uint8Array
}

/**
 * The response of the server to a request of a protocol.
 * @since 2.4.6
 */
export interface ProtocolResponse {
  /** As a client of HTTP would receive it, without responses of 1xx. */
  readonly status: number
  /** The text after the status in the status line. */
  readonly reason: string
  /** All fields that a client of HTTP would receive, but those about its connection. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /**
   * Read it to its end, or destroy it. It fails if the response cannot be completed. A response that is not read does not
   * proceed.
   */
  readonly body: Readable
}

/**
 * A connection on which a module speaks its protocol.
 * @since 2.4.6
 */
export interface SpokenConnection {
  /** The connection, as the hooks of its requests see it. */
  readonly connection: Connection
  /**
   * What the client sends, without TLS, and what is sent to it. Ending it closes the connection when everything was sent.
   * A client that leaves destroys it, without an error.
   */
  readonly stream: Duplex
  /**
   * Has the server answer a request like one of HTTP: by the rules, handlers and logs of its configuration. `%H` is the
   * name of the protocol. Several may be under way.
   * @throws TypeError if method, target or a field could not stand in a request of HTTP: what clients send needs no
   *   further check
   * @throws Error if the connection closes before the response begins
   */
  serve(request: ProtocolRequest): Promise<ProtocolResponse>
}

/**
 * A protocol beside HTTP/1.1. Group `protocols`, by the name that the Protocols directive, ALPN (RFC 7301) and the field
 * Upgrade use. Only servers whose Protocols directive names it speak it.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface Protocol {
  /**
   * Whether the protocol may be chosen by ALPN although the Protocols directive of the server does not name it. Without
   * this function only the directive counts. Must not throw.
   * @param server the one that was chosen by `serverName`
   * @param serverName the name that the client asked for (SNI), as sent; null if it sent none
   */
  isOpenTo?(connection: Connection, server: Server, serverName: string | null): boolean
  /**
   * Whether connections of a server speak the protocol in the place of HTTP/1.1, whatever their clients send: from the
   * start, or after their handshake where the server is secured. Must not throw.
   * @param server the first one of the address; of a secured connection, the one that the client asked for
   */
  replacesHttp?(server: Server): boolean
  /**
   * The bytes with which clients begin that speak the protocol without asking. No request of HTTP/1.1 may begin with
   * them. They are left in the stream. Clients of secured servers may begin so, too, if they chose nothing by ALPN.
   */
  readonly opening?: Uint8Array
  /**
   * Whether the connection of this request of HTTP/1.1, which offers the protocol by the field Upgrade, continues with it.
   * Asked when the request was allowed, and would be handled otherwise. The client receives 101 (Switching Protocols).
   * Without this function, Upgrade is ignored.
   */
  acceptsUpgrade?(request: Request): boolean
  /**
   * Speaks the protocol from now on. The connection counts as one of its client as others do. It has no time limits but
   * the module's own and Timeout for a client that takes nothing; after a reload it ends when it is idle for the time of
   * KeepAliveTimeout. An error closes the connection. Absent for `h2` and `h2c`, which the host speaks with what
   * {@link peers!http2SettingsOf | http2SettingsOf} says.
   */
  speak?(spoken: SpokenConnection): void
}

/**
 * A layer between a client's socket and the protocol of requests, for example one that secures connections.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface ConnectionLayer {
  /**
   * Called for each accepted connection before any byte is read. A layer that takes the connection reads the
   * socket itself and calls `sink.ready` once, or destroys the socket. Until then the host applies the time limit
   * of a first request, and may destroy the socket.
   * @returns false to leave the connection as it is
   */
  open(socket: Socket, connection: Connection, sink: LayerSink): boolean
}

/**
 * A kind of cache that the processes of the server share, which directives choose with `KIND:ARGUMENT`. Group
 * `caches`, by the name of the kind.
 * @suppliedByModules
 * @since 2.4.6
 */
export interface CacheProvider {
  /**
   * Checks the argument of a directive.
   * @param argument the text after the colon; empty without
   * @returns an error text, or the function that opens the cache for a purpose: a name, which is the source name of
   *   the module that uses it or begins with that
   */
  configure(argument: string, command: Command): { readonly error: string } | ((name: string) => SharedStore)
}

/**
 * Providers of one group by name. A second provider with the same name is rejected, unless it declares that
 * it replaces the first.
 */
export interface ProviderGroup<P> {
  /**
   * Adds a provider. Call this while the module registers itself. In httpd, the module that is loaded later
   * silently takes precedence, which may open access that the former one protects; here, a second provider
   * with the same name fails the start with a line that names both modules.
   * @param options `replace: true` if the module is meant to replace another module's provider
   * @throws Error if the name is taken and `replace` is not set
   */
  add(name: string, provider: P, options?: { readonly replace?: boolean }): void
  /** The provider with a name; undefined if no loaded module has one. */
  get(name: string): P | undefined
  /** All names of the group, in the order in which they were added. */
  names(): readonly string[]
  /**
   * The source name of the module that added a provider, for messages; undefined if no loaded module has one.
   * @since 2.4.6
   */
  ownerOf(name: string): string | undefined
}

/**
 * A group of providers that a module defines for others: the modules that add to it and the one that uses it share the key,
 * which carries the type of the providers.
 * @since 2.4.6
 */
export interface ProviderGroupKey<P> {
  /** `module:group`, so that two modules do not choose the same name by chance. */
  readonly name: string
  /** Version of the providers' contract. */
  readonly version: number
  /** Never present; carries the type only. */
  readonly type?: (provider: P) => P
}

/**
 * Names a group of providers and their type (httpd's `ap_register_provider`, whose groups and versions are texts).
 * @param name `module:group`
 * @param version different versions are different groups. Raise it when the contract changes, so that a module that was
 *   built for the former contract is not found.
 * @since 2.4.6
 */
export function providerGroup<P>(name: string, version = 0): ProviderGroupKey<P> {
  return { name, version }
}

/**
 * The groups of providers. Providers are looked up when the configuration is bound, after all modules have
 * been loaded.
 */
export interface Providers {
  /** Forms of `Require`. */
  readonly authz: ProviderGroup<AuthzProvider>
  /** Sources of users for AuthBasicProvider and AuthDigestProvider. */
  readonly authn: ProviderGroup<AuthnProvider>
  /**
   * Filters by their names in SetOutputFilter and similar directives, in any case.
   * @since 2.4.3
   */
  readonly outputFilters: ProviderGroup<OutputFilter>
  /**
   * Filters by their names in SetInputFilter and similar directives, in any case.
   * @since 2.4.4
   */
  readonly inputFilters: ProviderGroup<InputFilter>
  /**
   * Names of the expression language, by the name of the module that adds them.
   * @since 2.4.6
   */
  readonly expressionNames: ProviderGroup<ExpressionNames>
  /**
   * Layers of connections, by the name of the module that adds them; the first that takes a connection has it.
   * @since 2.4.6
   */
  readonly connectionLayers: ProviderGroup<ConnectionLayer>
  /**
   * Protocols by their names.
   * @since 2.4.6
   */
  readonly protocols: ProviderGroup<Protocol>
  /**
   * Kinds of shared caches by their names.
   * @since 2.4.6
   */
  readonly caches: ProviderGroup<CacheProvider>
  /**
   * Kinds of mistakes that tools report, by their ids.
   * @since 2.4.6
   */
  readonly lintRules: ProviderGroup<LintRule>
  /**
   * Protocols of backends by the names of their schemes.
   * @since 2.4.6
   */
  readonly proxySchemes: ProviderGroup<ProxyScheme>
  /**
   * Methods of balancers by their names.
   * @since 2.4.6
   */
  readonly proxyBalancerMethods: ProviderGroup<ProxyBalancerMethod>
  /**
   * Parameters of workers that other modules than mod_proxy know, by their names in lower case.
   * @since 2.4.6
   */
  readonly proxyWorkerParameters: ProviderGroup<ProxyWorkerParameter>
  /**
   * Kinds of databases by their names in DBDriver.
   * @since 2.4.6
   */
  readonly databaseDrivers: ProviderGroup<DatabaseDriver>
  /**
   * What operators can ask a running server for, by the first word of the command.
   * @since 2.4.6
   */
  readonly serverCommands: ProviderGroup<ServerCommand>
  /**
   * A group that modules define for each other, empty if nobody adds to it. Its names are significant in their case.
   * @since 2.4.6
   */
  of<P>(key: ProviderGroupKey<P>): ProviderGroup<P>
}
