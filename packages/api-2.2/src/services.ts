import type { Connection } from './connection.ts'
import type { MaybePromise } from './outcome.ts'
import type { Providers } from './providers.ts'
import type { Request } from './request.ts'

/** A compiled regular expression: PCRE syntax, bytes, not anchored. */
export interface Pattern {
  readonly source: string
  test(text: string): boolean
  /** Groups 0 to n of the first match; null without a match. */
  match(text: string): readonly string[] | null
}

/** Services for directive handlers while the configuration is read. */
export interface ConfigServices {
  /**
   * Compiles a regular expression.
   * @returns an error text if it is invalid
   */
  pattern(source: string, flags?: { readonly ignoreCase?: boolean }): Pattern | { readonly error: string }
  /** Number of a method; undefined if it is unknown. */
  methodNumber(name: string): number | undefined
  /** Whether a module with this identifier or source name has been loaded by the current line. */
  moduleLoaded(name: string): boolean
  readonly httpdVersion: string
  readonly providers: Providers
  /**
   * Reads a text file.
   * @returns its content as bytes, or the system's error
   */
  readFile(path: string): string | Error
}

/** The content of a watched file, parsed once per version of the file. */
export interface WatchedFile<T> {
  current(): T
}

/** Services of the host. */
export interface HostServices {
  verifyPassword(stored: string, password: string, request: Request): MaybePromise<boolean>
  /** Name of a connection's client by reverse lookup, or null. */
  remoteHost(connection: Connection): MaybePromise<string | null>
  userName(uid: number): string | null
  groupName(gid: number): string | null
  watchFile<T>(paths: readonly string[], parse: () => T): WatchedFile<T>
  /** Name and version of the server, including what modules add to it. */
  serverVersion(): string
  serverSignature(request: Request, prefix: string): string
  /** AuthType in force, null if there is none. */
  authType(request: Request): string | null
  authName(request: Request): string | null
  satisfies(request: Request): 'all' | 'any' | 'unset'
  /** True after a signal to stop the server gracefully. */
  gracefulStopSignalled(): boolean
  readonly maxDaemonsLimit: number
  readonly threadsPerChild: number
  /** Number of the configuration that this process uses. */
  readonly myGeneration: number
}
