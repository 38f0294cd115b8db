import type { Connection } from './connection.ts'
import type { MaybePromise } from './outcome.ts'
import type { Providers } from './providers.ts'
import type { Request } from './request.ts'

/** A compiled regular expression: PCRE syntax, bytes, searched (not anchored). */
export interface Pattern {
  readonly source: string
  test(text: string): boolean
  /** Groups 0 to n of the first match; null when nothing matches. */
  match(text: string): readonly string[] | null
}

/** What directive handlers may ask for while the configuration is read. */
export interface ConfigServices {
  /** An error text when the pattern is not understood. */
  pattern(source: string, flags?: { readonly ignoreCase?: boolean }): Pattern | { readonly error: string }
  /** Number of a method; undefined when unknown. */
  methodNumber(name: string): number | undefined
  /** True when a module of this identifier or source name is loaded at this point of reading. */
  moduleLoaded(name: string): boolean
  readonly httpdVersion: string
  readonly providers: Providers
  /** A text file as bytes, or the system's error. */
  readFile(path: string): string | Error
}

/** The content of a watched file, parsed once per version of the file. */
export interface WatchedFile<T> {
  current(): T
}

/** Host services. */
export interface HostServices {
  verifyPassword(stored: string, password: string, request: Request): MaybePromise<boolean>
  /** Name of a connection's client by reverse lookup, or null. */
  remoteHost(connection: Connection): MaybePromise<string | null>
  userName(uid: number): string | null
  groupName(gid: number): string | null
  watchFile<T>(paths: readonly string[], parse: () => T): WatchedFile<T>
  /** Name and version of the server, with what modules add to it. */
  serverVersion(): string
  serverSignature(request: Request, prefix: string): string
  /** AuthType and AuthName in force, null when there is none; Satisfy. */
  authType(request: Request): string | null
  authName(request: Request): string | null
  satisfies(request: Request): 'all' | 'any' | 'unset'
  /** True once the server has been told to stop when its requests are answered. */
  gracefulStopSignalled(): boolean
  readonly maxDaemonsLimit: number
  readonly threadsPerChild: number
  /** Number of the configuration that this process works by. */
  readonly myGeneration: number
}
