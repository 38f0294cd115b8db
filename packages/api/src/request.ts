import type { Overlay, SectionInfo } from './command.ts'
import type { Connection } from './connection.ts'
import type { InputFilter } from './input-filter.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { FilteredBody, OutputFilter } from './output-filter.ts'
import type { Server } from './server.ts'
import type { Table } from './table.ts'
import type { Html } from './text/html.ts'
import type { DecisionTracer } from './tracing.ts'
import type { Work } from './work.ts'

/** What is known of the file a request maps to. */
export interface FileInfo {
  /** `other` is a pipe, a socket or a device. */
  readonly kind: 'file' | 'directory' | 'other'
  /** Bytes. */
  readonly size: number
  /** Modification time in milliseconds (with fraction) since the epoch, and exactly in microseconds. */
  readonly mtimeMs: number
  /** Number of the inode. */
  readonly inode: number
  /** Number of the device. */
  readonly device: number
  /** Permission bits and type, as stat gives them. */
  readonly mode: number
  /** Number of the owner. */
  readonly uid: number
  /** Number of the group. */
  readonly gid: number
}

/** The words of Options. */
export type OptionName =
  | 'Indexes'
  | 'Includes'
  | 'IncludesNOEXEC'
  | 'FollowSymLinks'
  | 'SymLinksIfOwnerMatch'
  | 'ExecCGI'
  | 'MultiViews'

/** Header fields of a request, names without regard to case. */
export interface Fields extends Iterable<[string, string]> {
  /** All values of the name joined with `, `, or undefined. */
  get(name: string): string | undefined
  /** True when there is a field of the name, an empty one included. */
  has(name: string): boolean
  /** Puts one field in the place of all of the name. */
  set(name: string, value: string): void
  /** Takes all fields of the name away. */
  delete(name: string): void
}

/**
 * A response body: text (one byte per character), bytes, a stream of either, or a file. A text with a
 * character above U+00FF is not sent: see `Request.sendText`.
 */
export type Body = string | Uint8Array | AsyncIterable<string | Uint8Array> | FileBody

/**
 * The file itself, sent by the host in blocks.
 * @suppliedByModules
 */
export interface FileBody {
  /** Absolute path. */
  readonly path: string
  /** What is known of the file; a file that has changed since is not sent. */
  readonly info: FileInfo
}

/**
 * One request on its way through the phases. All text is bytes: one character, one byte. Fields that modules
 * may assign are not readonly; everything else is the host's. `user`, `authType`, `contentType`,
 * `contentEncoding` and `contentLanguages` refuse a character above U+00FF with a TypeError.
 */
export interface Request {
  /** The connection it came over. */
  readonly connection: Connection
  /** The virtual host that serves it, or the main server. */
  readonly server: Server
  /** The request this one is a sub-request of, or null. */
  readonly main: Request | null
  /** The request this one was internally redirected from, or null. */
  readonly prev: Request | null
  /** As sent, without line end. */
  readonly requestLine: string
  /** Method as sent; HEAD is `HEAD`. */
  method: string
  /** Number of the method, for {@link MethodSet}. */
  methodNumber: number
  /** True for HEAD: the body is dropped by the host, making it may be skipped. */
  readonly headerOnly: boolean
  /** As sent, `HTTP/1.1`. */
  readonly protocol: string
  /** 1001 for HTTP/1.1, 1000, 9. */
  readonly version: number
  /** Request target as sent, without scheme and host. */
  unparsedUri: string
  /** Decoded path of the URI, always beginning with `/` (or `*`). */
  uri: string
  /** Query without `?`, or null. */
  args: string | null
  /** What translateName maps the URI to, '' before. */
  filename: string
  /** The rest of the path after an existing file, '' if there is none. */
  pathInfo: string
  /** null when nothing exists at `filename`. */
  fileInfo: FileInfo | null
  /** Name that SetHandler or AddHandler gave, or null. */
  handler: string | null
  /** Media type of the response with its parameters; null where it is not known. */
  contentType: string | null
  /** Language tags and codings, in order of application. */
  contentLanguages: readonly string[]
  /** Coding of the response, `gzip`; null for none. */
  contentEncoding: string | null
  /**
   * What was looked into for variants of what is asked for, a type map or a folder; null when nothing was.
   * Its version becomes a part of the ETag, also of what an internal redirect leads to, so that another
   * variant makes another tag.
   * @since 2.4.3
   */
  variantsFrom: FileInfo | null
  /**
   * True when caches must not keep the response: it is sent with `Expires` at the time of the request, unless a module set that field. Internal redirects keep it;
   * a sub-request that takes the request's place clears it unless it is true there as well.
   * @since 2.4.5
   */
  noCache: boolean
  /** 200 until something else is decided. */
  status: number
  /** Who the client is, as checkUserId found; null while that is not known. */
  user: string | null
  /** AuthType that `user` was found by; null without one. */
  authType: string | null
  /**
   * The kind of rule that denied the request, for counters, such as names of providers. Modules that deny may
   * set it, using only words of the configuration, never data from clients.
   * @since 2.4.4
   */
  refusedBy: string
  /** The client as access control and logs see it (mod_remoteip may change it). */
  useragentAddress: string
  /**
   * The client's port; 0 where it is not known.
   * @since 2.4.3
   */
  useragentPort: number
  /** Header fields of the request. */
  readonly headersIn: Fields
  /** Headers of a successful response; dropped when an error page is made. */
  readonly headersOut: Table
  /** Headers that survive errors and internal redirects. */
  readonly errHeadersOut: Table
  /**
   * Private chatter between the modules of one request. `error-notes` is shown on error pages; `variant-list`
   * is HTML for those of 300 and 406.
   */
  readonly notes: Table
  /** The request's environment variables (`SetEnv`, `%{X}e`, `Require env`). */
  readonly env: Table
  /** Methods in the Allow field of a 405 or OPTIONS response; null until a handler sets them. */
  allowed: Set<string> | null
  /** The target's mapping context for CONTEXT_PREFIX and CONTEXT_DOCUMENT_ROOT. */
  contextPrefix: string
  /** The folder that the prefix represents (Alias, UserDir), or an empty text. */
  contextDocumentRoot: string
  /**
   * What DOCUMENT_ROOT is for this request; null for that of the server.
   * @since 2.4.3
   */
  documentRoot: string | null
  /**
   * Milliseconds since the epoch when the request line was received; microseconds (fraction kept) of the same
   * moment.
   */
  readonly receivedAt: number
  /**
   * Per-directory configuration of all modules, by module number: read it through `configOf`. Identical
   * objects mean identical sections.
   */
  readonly config: DirectoryConfig
  /**
   * What this request computes, for whatever goes through a list that may be long.
   * @since 2.4.5
   */
  readonly work: Work
  /**
   * Receives the steps of the decision about this request; null without a tracer, as in normal service.
   * @since 2.4.2
   */
  readonly tracer: DecisionTracer | null

  /**
   * Answers 200 with a body: sets content type and body, returns OK. A text is taken for bytes, one per
   * character.
   * @throws TypeError for a text with a character above U+00FF, which `sendText` sends; one in the pieces of
   * a stream ends the connection instead
   */
  send(contentType: string, body: Body): Outcome
  /**
   * Answers 200 with a text in UTF-8: sets body and content type, to which `; charset=utf-8` is added if
   * missing. Returns OK. Half of a surrogate pair becomes U+FFFD. Use `send` for text that already has one
   * character per byte, such as a file name.
   * @param text may be the result of `html`
   * @throws TypeError if the content type names another charset
   * @since 2.4.5
   */
  sendText(contentType: string, text: string | Html): Outcome
  /**
   * Answers 200 with a value as JSON, in UTF-8. Returns OK.
   * @throws TypeError for values that JSON cannot represent: undefined, a function, a BigInt, an object that
   * contains itself
   * @since 2.4.5
   */
  sendJson(value: unknown): Outcome
  /**
   * Sets the body without touching the type; returns OK.
   * @throws TypeError for a text with a character above U+00FF
   */
  respond(body: Body): Outcome
  /**
   * Adds an output filter to the response. Error pages are generated without the filters below
   * {@link FILTER_RANK}.protocol, an internal redirect begins without any.
   * @param filter an object, or the name of a registered one; an unknown name is logged and has no effect
   * @since 2.4.3
   */
  addOutputFilter(filter: OutputFilter | string): void
  /**
   * Adds an input filter between the request body and its reader; to be called before the body is read.
   * @param filter an object, or the name of a registered one; an unknown name is logged and has no effect
   * @since 2.4.4
   */
  addInputFilter(filter: InputFilter | string): void
  /**
   * Bytes of the request body as they arrive, after the filters; ends early with an error if the client
   * closes the connection or a limit is exceeded. It can be read once.
   */
  readBody(): AsyncIterable<Uint8Array>
  /** Reads and drops the request body: OK, or the status that refuses it. Synchronous when there is none. */
  discardBody(): MaybePromise<Outcome>
  /**
   * A sub-request for a URI (absolute path, query allowed): all phases up to fixups have run, and `status`
   * reports whether it would be served.
   */
  lookupUri(uri: string): MaybePromise<Request>
  /**
   * A sub-request for a file next to the current one (name without slash, or absolute path); URI phases are
   * skipped.
   */
  lookupFile(path: string): MaybePromise<Request>
  /**
   * A sub-request for an entry of the folder to which this request maps, by its name alone. Its URI and file
   * name are those of the folder followed by the name, and by a slash if it is a folder. Phases that process
   * URIs are skipped.
   * @param args its query, none by default (since API 2.4.4)
   * @since 2.4.3
   */
  lookupEntry(name: string, args?: string | null): MaybePromise<Request>
  /**
   * Of a sub-request that was looked up: runs its handler, and the filters that were added to it. The
   * response goes nowhere but to the caller. It may be run once. Where the lookup was refused, that is the
   * response.
   * @throws TypeError for a request that is no sub-request
   * @since 2.4.4
   */
  run(): MaybePromise<SubResponse>
  /** Serves another URI of this server instead; the result is the outcome of the handler that calls it. */
  internalRedirect(uri: string): MaybePromise<Outcome>
  /** Takes over everything of a successful sub-request, so that it is served as this request. */
  fastRedirect(sub: Request): void
  /**
   * True when Options in force have the word.
   * @since 2.4.2
   */
  hasOption(option: OptionName): boolean
  /**
   * Sets Last-Modified and ETag from the properties of the file, according to FileETag.
   * @since 2.4.2
   */
  setValidators(): void
  /**
   * Tests If-Match and its kin against the ETag that was set and the time that is known: OK, 304 or 412, for
   * a handler to return. A resource of which no time is known counts as modified now.
   * @since 2.4.5
   */
  meetsConditions(): Outcome
  /** Runs `check` with the overlay's directives merged over this request's configuration. */
  withOverlay<T>(overlay: Overlay, check: () => MaybePromise<T>): MaybePromise<T>
  /**
   * scheme://host[:port] + path, according to UseCanonicalName, for Location headers; the path is sent as
   * given.
   */
  absoluteUrl(path: string): string
  /** Name and port of the server in self-referential URLs. */
  serverName(): string
  /** The port that UseCanonicalName and UseCanonicalPhysicalPort make of it. */
  serverPort(): number
  /**
   * Adds a cleanup: called once when the request is over, after it was logged, last registered first; for a
   * sub-request when its main request is over. One that throws is logged and keeps no other from running.
   */
  onDone(cleanup: () => void): void
}

/**
 * What a sub-request was answered with.
 * @since 2.4.4
 */
export interface SubResponse {
  /** 200, or the status that it would have been refused with: there is no body then. */
  readonly status: number
  /** Media type of the body; null where the handler named none. */
  readonly contentType: string | null
  /**
   * The body after its filters. A stream must be read to its end or left with `break`, because it may hold a
   * file open.
   */
  readonly body: FilteredBody
}

/** A merged per-directory configuration. Opaque to modules. */
export interface DirectoryConfig {
  /** An object per module, by its number. */
  readonly slots: readonly unknown[]
  /**
   * The sections that were merged into it, in that order; the defaults of servers are not among them.
   * @since 2.4.2
   */
  readonly sections: readonly SectionInfo[]
}
