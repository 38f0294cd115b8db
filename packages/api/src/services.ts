import type { Command, SectionInfo } from './command.ts'
import type { ServerInventory } from './inventory.ts'
import type { ModuleLog } from './log.ts'
import type { MaybePromise } from './outcome.ts'
import type { Providers } from './providers.ts'
import type { Request } from './request.ts'
import type { Server } from './server.ts'
import type { ServerStatus } from './server-status.ts'

/** A compiled regular expression: PCRE syntax, bytes, searched (not anchored). */
export interface Pattern {
  /** As it is written. */
  readonly source: string
  /** True when the pattern is found in the text. */
  test(text: string): boolean
  /** Groups 0 to n of the first match, '' for a group that did not take part; null when nothing matches. */
  match(text: string): readonly string[] | null
  /**
   * The first match with its place; null when nothing matches.
   * @since 2.4.5
   */
  search(text: string): PatternMatch | null
  /** Named groups by number. */
  readonly names: ReadonlyMap<string, number>
}

/**
 * A match and where it is.
 * @since 2.4.5
 */
export interface PatternMatch {
  /** Place of its first character. */
  readonly index: number
  /** Groups 0 to n, '' for a group that did not take part. */
  readonly groups: readonly string[]
}

/** A compiled boolean expression. */
export interface Condition {
  /** @throws ExpressionError if evaluation fails (for example, a file cannot be read): deny and log */
  test(request: Request): boolean
  /**
   * The same, with what the expression's patterns left in $0 to $9: nothing at all when the last one with
   * groups did not match. null when the condition does not hold.
   * @throws ExpressionError
   */
  match(request: Request): readonly string[] | null
  /** Variable names it reads, in capitals. */
  readonly mentions: ReadonlySet<string>
}

/** A compiled string with %{...} in it. */
export interface Text {
  /** @throws ExpressionError */
  of(request: Request): string
  /** The value when it is the same for every request. */
  readonly constant: string | undefined
}

/**
 * Failure of an expression at run time. Recognised by its name: copies of this class in different modules are
 * the same to `isExpressionError`.
 */
export class ExpressionError extends Error {
  /** What it is recognised by. */
  override readonly name = 'ExpressionError'
}

/** Distinguishes failures of expressions from other errors. */
export function isExpressionError(error: unknown): error is ExpressionError {
  return error instanceof Error && error.name === 'ExpressionError'
}

/**
 * Distinguishes the rejection of {@link HostServices.verifyPassword} when too many passwords are waiting, or when
 * the client has gone, from other errors: it says nothing about the password.
 * @since 2.4.5
 */
export function isPasswordQueueFull(error: unknown): error is Error {
  return error instanceof Error && error.name === 'PasswordQueueFull'
}

/**
 * A compiled shell pattern; it matches whole texts.
 * @since 2.4.2
 */
export interface ShellPattern {
  /** True when the whole text fits. */
  matches(text: string): boolean
}

/**
 * How a shell pattern is read.
 * @suppliedByModules
 */
export interface ShellPatternRules {
  /** A dot at the beginning is matched by a dot only. */
  readonly leadingDot?: 'literal' | 'ordinary'
  /** A backslash escapes the next character or itself. */
  readonly backslash?: 'escapes' | 'ordinary'
}

/** What directive handlers may ask for while the configuration is bound. */
export interface ConfigServices {
  /** An error text when the pattern is not understood. */
  pattern(source: string, flags?: { readonly ignoreCase?: boolean }): Pattern | { readonly error: string }
  /**
   * `*`, `?` and `[...]` as in file names, all of which match a slash, too; by default a leading dot is
   * ordinary and a backslash escapes.
   * @since 2.4.2
   */
  shellPattern(source: string, rules?: ShellPatternRules): ShellPattern
  /**
   * True when a name is a shell pattern and not itself.
   * @since 2.4.2
   */
  isShellPattern(name: string): boolean
  /**
   * A boolean expression (`<If>`, `Require expr`), or an error text when it is not understood.
   * @param options since API 2.4.3: `vary: 'untold'` keeps request headers that the condition reads out of
   * the response's Vary
   */
  condition(
    source: string,
    command: Command,
    options?: { readonly vary?: 'told' | 'untold' },
  ): Condition | { readonly error: string }
  /**
   * A string with `%{...}` in it, or an error text if it cannot be parsed.
   * @param log of the module for evaluation failures, if it is not the directive's own: a provider's
   */
  text(source: string, command: Command, log?: ModuleLog): Text | { readonly error: string }
  /**
   * Number of a method, registering it when `register` is set (as `<Limit>` does in server files); undefined
   * when unknown.
   */
  methodNumber(name: string, options?: { readonly register?: boolean }): number | undefined
  /** True when a module of this identifier or source name is loaded at this point of reading. */
  moduleLoaded(name: string): boolean
  /** Version of httpd whose behaviour is kept, `2.4.71`. */
  readonly httpdVersion: string
  /** Providers of this generation, for directives that name one. */
  readonly providers: Providers
  /** A text file read at load (mime.types): its content as bytes, or the system's error. */
  readFile(path: string): string | Error
}

/** A file that is cached and validated by one stat per path and turn of the event loop. */
export interface CachedFile<T> {
  /** What was made of its content. */
  readonly value: T
}

/** The content of a watched file, parsed once per version of the file. */
export interface WatchedFile<T> {
  /**
   * The parsed value of the file as it is now.
   * @throws the system's error when it cannot be read, as Node errors with code and errno
   */
  current(): T
}

/**
 * Makes something of a file that comes in parts.
 * @since 2.4.5
 */
export interface TextReader<T> {
  /**
   * How many entries are kept of what was read: by them, and by its bytes, the memory of what comes of it is
   * counted.
   */
  readonly entries: number
  /**
   * Takes the next part of the file's bytes, one character each; a part may end anywhere. Yields after each
   * small piece of work, of microseconds. Returns false when nothing that follows counts.
   */
  read(part: string): Iterator<unknown, boolean>
  /** What was read, after the end of the file. Yields likewise. */
  finish(): Iterator<unknown, T>
}

/**
 * A file that may be too large to be kept, in which something is looked up by a key.
 * @since 2.4.5
 */
export interface SearchedFile<T> {
  /**
   * The entry for a key in the current file; other keys may be ignored. A promise if the file is large: it is
   * read block by block, while others are served.
   * @throws the system's error if it cannot be read, or one named `NotRegularFile`: see
   * {@link logUnreadable}; the promise rejects with it
   */
  find(key: string): MaybePromise<T>
  /** The content of the whole file, if it is available without waiting. @throws as `find` does */
  whole(): T | undefined
}

/** Host services: whatever has a cache, a thread, a socket or a registry is implemented once, in the host. */
export interface HostServices {
  /**
   * Verifies a password against a stored hash, in a thread when the hash is costly. Rejects with an error
   * that {@link isPasswordQueueFull} recognizes when too many are waiting, or when the request's client has gone before its
   * turn came. The answer is false at once when no password can match `stored`, or when it would take longer
   * than the server computes.
   * @param decoy since API 2.4.3: the hash to compute in that case, for the sake of the time it takes
   */
  verifyPassword(stored: string, password: string, request: Request, decoy?: () => string | undefined): MaybePromise<boolean>
  /**
   * Takes as long as verifying the password against `decoy`, and rejects it regardless of the result: for
   * unknown users. Rejects as `verifyPassword` does.
   * @since 2.4.3
   */
  refusePassword(decoy: string | undefined, password: string, request: Request): MaybePromise<false>
  /**
   * The hash that takes longest to verify, of those that the server computes; undefined when there is none.
   * @since 2.4.3
   */
  costliestHash(hashes: Iterable<string>): string | undefined
  /** Client's name by double reverse lookup: lower-case, or null. The result is kept for the request. */
  remoteHost(request: Request): MaybePromise<string | null>
  /** What is already known without a lookup: the name, or null. */
  knownRemoteHost(request: Request): string | null
  /** All addresses of a name; empty when it does not resolve. Bounded in time. */
  addressesOf(name: string): Promise<readonly string[]>
  /**
   * An address written by a client or proxy, parsed like the system's resolver: dotted quads, the shorter
   * forms of `inet_aton` (`127.1`, `0x7f000001`), IPv6 with or without a zone, and names. The result has the
   * form of {@link Connection.remoteAddress}; null if it is neither an address nor a name that has one. A
   * promise only for names that are not in the hosts file. Rejects with an error named `NameUnanswered` if
   * the answer takes too long or too many are pending: then the address is unknown and must not be attributed
   * to any client.
   * @since 2.4.5
   */
  resolveAddress(text: string): MaybePromise<string | null>
  /**
   * Name of the system's user or group of a number; null when there is none.
   * @since 2.4.2
   */
  userName(uid: number): string | null
  /**
   * Name of the system's group of a number; null when there is none.
   * @since 2.4.2
   */
  groupName(gid: number): string | null
  /**
   * The same as of {@link ConfigServices}, for patterns that clients send.
   * @since 2.4.2
   */
  shellPattern(source: string, rules?: ShellPatternRules): ShellPattern
  /**
   * The home folder of a user of the system; null when there is no such user.
   * @since 2.4.3
   */
  homeFolder(user: string): string | null
  /**
   * A file parsed by `parse` and kept until it changes (device, inode, size, modification time; validated by
   * one synchronous stat per turn of the event loop). `paths` are all files that a version consists of.
   */
  watchFile<T>(paths: readonly string[], parse: () => T): WatchedFile<T>
  /**
   * A file of any size for look-ups by key. The parsed content is kept until the file changes, as with
   * `watchFile`, unless it is too large; then each look-up reads the file, one at a time and for all keys
   * that were requested in the meantime. `/dev/null` is an empty file.
   * @param reader creates a reader of the whole, or one that keeps only what concerns some keys
   * @since 2.4.5
   */
  searchFile<T>(path: string, reader: (keys: ReadonlySet<string> | null) => TextReader<T>): SearchedFile<T>
  /**
   * The bytes of a regular file, one character each; a promise when the file is large.
   * @param limit a file with more bytes is refused with an error named `FileTooLarge`
   * @throws the system's error, or one named `NotRegularFile`; the promise rejects with it
   * @since 2.4.5
   */
  fileText(path: string, limit: number): MaybePromise<string>
  /**
   * Opens (or shares) a log file or other target of an access log; lines end with the newline they are given.
   * A program (`|...`) is opened in checkConfig, because it runs before anything else does; where the
   * configuration is only checked its lines go nowhere.
   */
  openLog(target: string, server: Server): LogTarget
  /**
   * Random bytes (32) that are the same in all processes of the server until it is stopped, across reloads;
   * other names have other bytes, and none reveals another. A process that only checks the configuration has
   * its own bytes. For signing data that clients return.
   * @param name the module's source name, or any other name that no other module uses
   * @since 2.4.2
   */
  secret(name: string): Uint8Array
  /** Numbers of all workers for status pages. */
  status(): Promise<ServerStatus>
  /**
   * What the server is made of. To be called while the module registers itself: its configuration is kept for
   * the function that is returned, and not otherwise. That is to be called from checkConfig on.
   * @since 2.4.3
   */
  inventory(): () => ServerInventory
  /** Server description: product name and version according to ServerTokens. */
  serverBanner(): string
  /** Signature for the foot of generated pages according to ServerSignature; '' for Off. */
  serverSignature(request: Request, prefix: string): string
}

/** A log that is open. */
export interface LogTarget {
  /** Writes a text, which brings its own line end, with the other lines of this turn of the event loop. */
  write(line: string): void
}

/**
 * A per-directory configuration object of one module with the section that holds it, for checks after
 * loading.
 */
export interface PlacedConfig<D> {
  /** What the directives of the section filled. */
  readonly config: D
  /** Their place. */
  readonly section: SectionInfo
}
