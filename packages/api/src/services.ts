import type { SearchedFile, TextReader, WatchedFile } from './cached-files.ts'
import type { Command, SectionInfo } from './command.ts'
import type { ConnectionHeir, PassConnection } from './connection-heir.ts'
import type { ServerInventory } from './inventory.ts'
import type { ModuleLog } from './log.ts'
import type { MaybePromise } from './outcome.ts'
import type { Pattern } from './pattern.ts'
import type { ProgramSettings } from './program-settings.ts'
import type { Providers } from './providers.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'
import type { ServerStatus } from './server-status.ts'
import type { SharedRecord, SharedRecordShape } from './shared-record.ts'
import type { SharedStore } from './shared-store.ts'
import type { Table } from './table.ts'

/** A compiled boolean expression. */
export interface Condition {
  /** @throws ExpressionError if evaluation fails (for example, a file cannot be read): deny and log */
  test(request: Request): boolean
  /**
   * Like `test`, and returns what the expression's patterns captured in $0 to $9: nothing if the last pattern
   * with groups did not match. Null if the condition is false.
   * @throws ExpressionError
   */
  match(request: Request): readonly string[] | null
  /** Names of the variables it reads, in capitals. */
  readonly mentions: ReadonlySet<string>
}

/**
 * Functions that an expression may call, by name in lower case. Each returns the value for a request and an argument.
 * @suppliedByModules
 * @since 2.4.6
 */
export type ExpressionFunctions = Readonly<Record<string, (request: Request, argument: string) => string>>

/** A compiled string with `%{...}` in it. */
export interface Text {
  /** @throws ExpressionError */
  of(request: Request): string
  /** The value if it is the same for every request. */
  readonly constant: string | undefined
}

/**
 * A failure of an expression at run time. `isExpressionError` identifies it by its name, because modules
 * contain copies of this class.
 */
export class ExpressionError extends Error {
  /** Identifies the class. */
  override readonly name = 'ExpressionError'
}

/** Distinguishes failures of expressions from other errors. */
export function isExpressionError(error: unknown): error is ExpressionError {
  return error instanceof Error && error.name === 'ExpressionError'
}

/**
 * Identifies the rejection of {@link HostServices.verifyPassword} because too many passwords are waiting or
 * the client has disconnected. It does not mean that the password is wrong.
 * @since 2.4.5
 */
export function isPasswordQueueFull(error: unknown): error is Error {
  return error instanceof Error && error.name === 'PasswordQueueFull'
}

/**
 * A compiled shell pattern, which matches whole texts.
 * @since 2.4.2
 */
export interface ShellPattern {
  /** Whether the pattern matches the whole text. */
  matches(text: string): boolean
}

/**
 * The syntax of a shell pattern.
 * @suppliedByModules
 */
export interface ShellPatternRules {
  /** `literal`: only a dot matches a dot at the beginning. */
  readonly leadingDot?: 'literal' | 'ordinary'
  /** A backslash escapes the next character or itself. */
  readonly backslash?: 'escapes' | 'ordinary'
}

/** Services for directive handlers while the configuration is bound. */
export interface ConfigServices {
  /**
   * Compiles a regular expression.
   * @returns an error text if it is invalid
   */
  pattern(source: string, flags?: { readonly ignoreCase?: boolean }): Pattern | { readonly error: string }
  /**
   * Compiles a pattern with `*`, `?` and `[...]`, which also match a slash. By default a leading dot is
   * ordinary and a backslash escapes.
   * @since 2.4.2
   */
  shellPattern(source: string, rules?: ShellPatternRules): ShellPattern
  /**
   * Whether a name contains special characters of shell patterns.
   * @since 2.4.2
   */
  isShellPattern(name: string): boolean
  /**
   * Compiles a boolean expression (`<If>`, `Require expr`).
   * @param options since API 2.4.3: `vary: 'untold'` keeps request headers that the condition reads out of
   *   the response's Vary
   * @returns an error text if it is invalid
   */
  condition(
    source: string,
    command: Command,
    options?: { readonly vary?: 'told' | 'untold' },
  ): Condition | { readonly error: string }
  /**
   * A boolean expression in which all comparisons, of numbers too, are those of texts, and a shorter text is less
   * than a longer one, as in SSLRequire; or an error text.
   * @since 2.4.6
   */
  conditionByLength(source: string, command: Command): Condition | { readonly error: string }
  /**
   * Compiles a string with `%{...}` in it.
   * @param log the log for evaluation failures if it is not the directive's own, for example a provider's
   * @returns an error text if it is invalid
   */
  text(source: string, command: Command, log?: ModuleLog): Text | { readonly error: string }
  /**
   * Number of a method, which is registered first if `register` is set (as `<Limit>` does in server files);
   * undefined if it is unknown.
   */
  methodNumber(name: string, options?: { readonly register?: boolean }): number | undefined
  /** Whether a module with this identifier or source name has been loaded by the current line. */
  moduleLoaded(name: string): boolean
  /** The reproduced version of httpd, `2.4.71`. */
  readonly httpdVersion: string
  /** Providers of this generation, for directives that name one. */
  readonly providers: Providers
  /**
   * Reads a text file at load (mime.types).
   * @returns its content as bytes, or the system's error
   */
  readFile(path: string): string | Error
  /**
   * What the path of an argument leads to. The answer is the same in all processes of a configuration, so that a file that
   * disappears later does not keep a worker from starting.
   * @param path absolute, one character for each byte
   * @since 2.4.6
   */
  fileKind(path: string): FileKind
}

/**
 * What a path leads to: `file` is a regular file that is not empty; `missing` also means that it cannot be looked up.
 * @since 2.4.6
 */
export type FileKind = 'file' | 'empty' | 'directory' | 'other' | 'missing'

/**
 * Bytes by name, the module's source name or one that begins with it.
 * @since 2.4.6
 */
export interface RetainedData {
  /** What was set last; undefined when nothing was. */
  get(name: string): Uint8Array | undefined
  /** Keeps bytes in the place of those of that name. */
  set(name: string, bytes: Uint8Array): void
}

/**
 * Secrets that the host replaces every day.
 * @since 2.4.6
 */
export interface RotatingSecrets {
  /** 32 bytes: for everything new. */
  readonly current: Uint8Array
  /** The secret before; null until the first is replaced. */
  readonly previous: Uint8Array | null
}

/**
 * Services of the host: everything that needs a cache, a thread, a socket or a registry is implemented once,
 * in the host.
 */
export interface HostServices {
  /**
   * Verifies a password against a stored hash, in a thread if the hash is costly. Rejects with an error that
   * {@link isPasswordQueueFull} identifies if too many passwords are waiting, or if the client disconnected
   * before its password was verified. The result is false at once if no password can match `stored`, or if
   * verification would exceed the server's limit.
   * @param decoy since API 2.4.3: the hash to compute in that case, so that it takes as long as a
   *   verification
   */
  verifyPassword(stored: string, password: string, request: Request, decoy?: () => string | undefined): MaybePromise<boolean>
  /**
   * Takes as long as verifying the password against `decoy`, and ignores the result: for unknown users.
   * Rejects like `verifyPassword`.
   * @since 2.4.3
   */
  refusePassword(decoy: string | undefined, password: string, request: Request): MaybePromise<false>
  /**
   * The hash that takes longest to verify, among those within the server's limit; undefined if there is none.
   * @since 2.4.3
   */
  costliestHash(hashes: Iterable<string>): string | undefined
  /** The client's name by double reverse lookup: lower-case, or null. The result is kept for the request. */
  remoteHost(request: Request): MaybePromise<string | null>
  /** The client's name if it is known without a lookup, or null. */
  knownRemoteHost(request: Request): string | null
  /** All addresses of a name; empty if it does not resolve. The time is limited. */
  addressesOf(name: string): Promise<readonly string[]>
  /**
   * Parses an address written by a client or proxy like the system's resolver: dotted quads, the shorter
   * forms of `inet_aton` (`127.1`, `0x7f000001`), IPv6 with or without a zone, and names. The result has the
   * form of {@link Connection.remoteAddress}; null if the text is neither an address nor a name that has one.
   * A promise only for names that are not in the hosts file. Rejects with an error named `NameUnanswered` if
   * the answer takes too long or too many are pending: then the address is unknown and must not be attributed
   * to any client.
   * @since 2.4.5
   */
  resolveAddress(text: string): MaybePromise<string | null>
  /**
   * Name of the system's user with a number; null if there is none.
   * @since 2.4.2
   */
  userName(uid: number): string | null
  /**
   * Name of the system's group with a number; null if there is none.
   * @since 2.4.2
   */
  groupName(gid: number): string | null
  /**
   * Like {@link ConfigServices.shellPattern}, for patterns that clients send.
   * @since 2.4.2
   */
  shellPattern(source: string, rules?: ShellPatternRules): ShellPattern
  /**
   * The home folder of a system user; null if there is no such user.
   * @since 2.4.3
   */
  homeFolder(user: string): string | null
  /**
   * Parses a file and keeps the result until it changes (device, inode, size, modification time; validated by
   * one synchronous stat per turn of the event loop). `paths` are all files that a version consists of.
   */
  watchFile<T>(paths: readonly string[], parse: () => T): WatchedFile<T>
  /**
   * A file of any size for look-ups by key. The parsed content is kept until the file changes, as with
   * `watchFile`, unless it is too large. Then the file is read for the look-ups, one reading at a time, and
   * each reading serves all keys that were requested in the meantime. `/dev/null` is an empty file.
   * @param reader creates a reader of the whole file, or one that keeps only data for some keys
   * @since 2.4.5
   */
  searchFile<T>(path: string, reader: (keys: ReadonlySet<string> | null) => TextReader<T>): SearchedFile<T>
  /**
   * The bytes of a regular file, one character each; a promise if the file is large.
   * @param limit a larger file, in bytes, is rejected with an error named `FileTooLarge`
   * @throws the system's error, or one named `NotRegularFile`; the promise rejects with it
   * @since 2.4.5
   */
  fileText(path: string, limit: number): MaybePromise<string>
  /**
   * Opens or shares a log file or another target of an access log; written lines contain their line ends. A
   * program (`|...`) is opened in checkConfig, because it starts before everything else; if the configuration
   * is only checked, its lines are discarded.
   */
  openLog(target: string, server: Server): LogTarget
  /**
   * 32 random bytes that are the same in all processes of the server until it is stopped, across reloads.
   * Other names have other bytes, and no name's bytes reveal another's. A process that only checks the
   * configuration has its own bytes. For signing data that clients return.
   * @param name the module's source name, or any other name that no other module uses
   * @since 2.4.2
   */
  secret(name: string): Uint8Array
  /**
   * Bytes that modules keep until the server is stopped, by name: the supervisor has them in its memory and gives
   * them to every process that serves later, also after a reload. For what an operator cannot be asked for again, as
   * a key that a pass phrase protects, and for what all processes of a configuration must have alike, as the content of
   * files. To be used in postConfig: what the first process of a start or reload sets there, the others find; if the
   * reload fails, it is forgotten. They are in no dump and in no file.
   * @since 2.4.6
   */
  readonly retained: RetainedData
  /**
   * Secrets like {@link HostServices.secret} that are replaced every day: what was encrypted with a secret cannot
   * be read two days later, even if the secrets of the server are disclosed then. The former secret of an
   * upgraded server remains valid.
   * @param name the module's source name, or any other name that no other module uses
   * @returns the present secrets: the same object until they are replaced
   * @since 2.4.6
   */
  rotatingSecrets(name: string): () => RotatingSecrets
  /**
   * A store that all processes of the server share until it is stopped. It is in no file.
   * @param name the module's source name, or one that begins with it
   * @param limit its size in bytes
   * @since 2.4.6
   */
  sharedStore(name: string, limit: number): SharedStore
  /**
   * The store for what all machines of a site should know: it is in the cache that the directive SharedCache names, and
   * without one in the memory of this server, as `sharedStore`. It may be opened at any time; it is used from postConfig
   * on. README.md has an example.
   * @param name the module's source name, or one that begins with it; not that of a store of the same server
   * @param limit its size in bytes where the memory of this server is used
   * @since 2.4.6
   */
  shared(name: string, limit: number): SharedStore
  /**
   * A record that all processes of this configuration share, without waiting for each other. A process that only checks
   * the configuration has a record of its own.
   * @param name the module's source name, or one that begins with it
   * @since 2.4.6
   */
  sharedRecord(name: string, shape: SharedRecordShape): SharedRecord
  /**
   * Runs a task in one of the server's processes, as httpd's mod_watchdog does for its clients. Call this while the
   * module registers itself. The task starts when that process serves; it ends when the process accepts no more
   * connections, and then starts in the process that follows. For a moment both may run. In a process that only
   * checks the configuration it never runs.
   * @param start returns the function that ends the task
   * @since 2.4.6
   */
  inOneProcess(start: () => () => void): void
  /**
   * Asks for new processes with the same configuration, which is not read again, in the place of those that serve:
   * postConfig runs again with the privileges of the start. Requests and connections are treated as in a graceful
   * restart. For a module whose files have changed.
   * @since 2.4.6
   */
  renewProcesses(): void
  /**
   * Lets open connections to other servers outlive this process when the server is loaded again. Call this while the module
   * registers itself. A process that only checks the configuration passes nothing on.
   * @param name the module's source name
   * @returns what passes a connection on, from `onLeave` on
   * @since 2.4.6
   */
  inheritConnections(name: string, heir: ConnectionHeir): PassConnection
  /** The figures of all workers, for status pages. */
  status(): Promise<ServerStatus>
  /**
   * Compiles a boolean expression that is not in the configuration, such as one in a page: functions and operators that
   * read or test files are rejected. It can be used for any number of requests.
   * @param own functions by name in lower case that the expression may call besides those of the server
   * @returns an error text if it is invalid
   * @since 2.4.6
   */
  condition(source: string, own?: ExpressionFunctions): Condition | { readonly error: string }
  /**
   * Compiles a regular expression that is not in the configuration; an error text if it is invalid.
   * @since 2.4.6
   */
  pattern(source: string, flags?: { readonly ignoreCase?: boolean }): Pattern | { readonly error: string }
  /**
   * Requests the server's inventory. Call this while the module registers itself: the configuration is kept
   * only if a module does so. Call the returned function from checkConfig on.
   * @since 2.4.3
   */
  inventory(): () => ServerInventory
  /**
   * The variables of a CGI program or responder for a request: its environment, its fields as HTTP_NAME, and those of
   * RFC 3875 section 4.1. Credentials are among them only with CGIPassAuth, and never a field `Proxy`. The result is the
   * caller's own.
   * @since 2.4.6
   */
  cgiVariables(request: Request): Table
  /**
   * The value of a cookie as the client sent it; null if it sent none, or several with different values, which is logged
   * (AH00011).
   * @param name as it is in the field, in this case
   * @param how `remove` takes it out of the request's fields, so that nobody else sees it
   * @since 2.4.6
   */
  readCookie(request: Request, name: string, how: { readonly remove: boolean }): string | null
  /**
   * What the configuration of a request says of programs that a module runs for it.
   * @since 2.4.6
   */
  programSettings(request: Request): ProgramSettings
  /**
   * The length in bytes up to which a module reads a request body that is an XML document: LimitXMLRequestBody.
   * @since 2.4.6
   */
  xmlBodyLimit(request: Request): number
  /**
   * Writes an error line of core, as httpd's core does for XML documents that it reads for modules.
   * @since 2.4.6
   */
  logXmlRefused(request: Request, code: string, text: string): void
  /** Server description: product name and version according to ServerTokens. */
  serverBanner(): string
  /** Signature for the bottom of generated pages according to ServerSignature; '' for Off. */
  serverSignature(request: Request, prefix: string): string
}

/** An open log. */
export interface LogTarget {
  /** Writes a text, including its line end, together with the other lines of this turn of the event loop. */
  write(line: string): void
  /**
   * Writes all lines before it returns, and waits up to two seconds for a program that does not read.
   * @since 2.4.6
   */
  flush(): void
}

/**
 * A per-directory configuration object of one module and the section that it belongs to, for checks after
 * loading.
 */
export interface PlacedConfig<D> {
  /** The object that the section's directives set. */
  readonly config: D
  /** The section. */
  readonly section: SectionInfo
}
