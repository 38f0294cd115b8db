import type { Connection } from './connection.ts'
import type { MethodSet } from './methods.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { OutputFilter } from './output-filter.ts'
import type { Server } from './server.ts'
import type { Table } from './table.ts'

/** The properties of the file that a request maps to. */
export interface FileInfo {
  readonly kind: 'file' | 'directory' | 'other'
  /** Bytes. */
  readonly size: number
  /** Modification time in milliseconds since the epoch. */
  readonly mtimeMs: number
  readonly inode: number
  readonly device: number
  readonly mode: number
  readonly uid: number
  readonly gid: number
}

/** Header fields of a request. Names match in any case. */
export interface Fields extends Iterable<[string, string]> {
  get(name: string): string | undefined
  has(name: string): boolean
  set(name: string, value: string): void
  delete(name: string): void
}

/** A response body: text (one byte per character), bytes, a stream of either, or a file. */
export type Body = string | Uint8Array | AsyncIterable<string | Uint8Array> | FileBody

export interface FileBody {
  readonly path: string
  readonly info: FileInfo
}

/**
 * One Require line as it was written. Modules of this line evaluate these lines themselves, in authChecker.
 */
export interface RequireLine {
  /** Methods of the enclosing `<Limit>`. */
  readonly methodMask: MethodSet
  /** The words after `Require`. */
  readonly requirement: string
}

/** One request on its way through the phases. All text is bytes: one character, one byte. */
export interface Request {
  readonly connection: Connection
  readonly server: Server
  /** The main request of this sub-request, or null. */
  readonly main: Request | null
  /** The request that was internally redirected to this one, or null. */
  readonly prev: Request | null
  readonly requestLine: string
  method: string
  methodNumber: number
  readonly headerOnly: boolean
  readonly protocol: string
  /** 1001 for HTTP/1.1, 1000, 9. */
  readonly version: number
  unparsedUri: string
  uri: string
  args: string | null
  filename: string
  pathInfo: string
  fileInfo: FileInfo | null
  handler: string | null
  contentType: string | null
  contentLanguages: readonly string[]
  contentEncoding: string | null
  status: number
  user: string | null
  authType: string | null
  readonly headersIn: Fields
  readonly headersOut: Table
  readonly errHeadersOut: Table
  readonly notes: Table
  readonly env: Table
  allowed: Set<string> | null
  /** Milliseconds since the epoch when the request line was received. */
  readonly receivedAt: number

  /** Require lines in force, null if there are none. */
  requires(): readonly RequireLine[] | null
  /** Whether any Require is in force, so that a user is required. */
  someAuthRequired(): boolean
  /** The content type from DefaultType, for files whose name does not determine one. */
  defaultType(): string
  /** Adds a challenge for Basic authentication to the 401 response. */
  noteBasicAuthFailure(): void

  /** Answers 200 with a body: sets content type and body, returns OK. */
  send(contentType: string, body: Body): Outcome
  /** Sets the body but not its type; returns OK. */
  respond(body: Body): Outcome
  addOutputFilter(filter: OutputFilter | string): void
  readBody(): AsyncIterable<Uint8Array>
  discardBody(): MaybePromise<Outcome>
  lookupUri(uri: string): MaybePromise<Request>
  lookupFile(path: string): MaybePromise<Request>
  internalRedirect(uri: string): MaybePromise<Outcome>
  absoluteUrl(path: string): string
  serverName(): string
  serverPort(): number
  onDone(cleanup: () => void): void
}
