import type { Overlay, SectionInfo } from './command.ts'
import type { Connection } from './connection.ts'
import type { CustomResponse, Denial } from './denial.ts'
import type { Fields } from './fields.ts'
import type { FileInfo } from './file-info.ts'
import type { ForeignRequest } from './foreign-request.ts'
import type { InputFilter } from './input-filter.ts'
import type { OptionName } from './option-name.ts'
import type { MaybePromise, Outcome } from './outcome.ts'
import type { FilteredBody, OutputFilter } from './output-filter.ts'
import type { ProxyRequestKind, RequestTarget, TunnelBody } from './relay.ts'
import type { SendRate } from './send-rate.ts'
import type { Server } from './server.ts'
import type { Table } from './table.ts'
import type { Html } from './text/html.ts'
import type { DecisionTracer } from './tracing.ts'
import type { Work } from './work.ts'

/**
 * A response body: text (one byte per character), bytes, a stream of either, or a file. A text with a
 * character above U+00FF cannot be sent: see `Request.sendText`.
 */
export type Body = string | Uint8Array | AsyncIterable<string | Uint8Array> | StreamBody | FileBody | TunnelBody

/**
 * A stream that states more than its bytes, such as the response of a backend. The host owns it from
 * `respond` on: it reads the stream to its end, or calls `return` of its iterator once when the client has
 * gone or the body is not sent. An output filter that replaces the stream drops both properties.
 * @since 2.4.5
 * @suppliedByModules
 */
export interface StreamBody extends AsyncIterable<string | Uint8Array> {
  /** The number of bytes, if it is known. A stream of another length breaks the response off. */
  readonly contentLength?: number
  /**
   * The trailer fields, which the host asks for after the last byte. They are sent if the body has no stated
   * length and the client said `TE: trailers`.
   */
  trailers?(): Iterable<readonly [name: string, value: string]>
}

/**
 * A file, which the host sends in blocks.
 * @suppliedByModules
 */
export interface FileBody {
  /** Absolute path. */
  readonly path: string
  /** The known properties of the file. A file that has changed since is not sent. */
  readonly info: FileInfo
}

/**
 * One request on its way through the phases. All text is bytes: one character, one byte. Modules may assign
 * the fields that are not readonly; all others belong to the host. `user`, `authType`, `contentType`,
 * `contentEncoding` and `contentLanguages` reject a character above U+00FF with a TypeError.
 */
export interface Request {
  /** The connection that received it. */
  readonly connection: Connection
  /** The virtual host that serves it, or the main server. */
  readonly server: Server
  /**
   * The scheme of URLs that refer to the server itself: that of the server, unless the layer of the connection set
   * another one ({@link LayerSink.ready}).
   * @since 2.4.6
   */
  readonly scheme: 'http' | 'https'
  /**
   * The host that it names by its target or the Host field, in lower case, without port; '' for none.
   * @since 2.4.6
   */
  readonly hostname: string
  /** The main request of this sub-request, or null. */
  readonly main: Request | null
  /** The request that was internally redirected to this one, or null. */
  readonly prev: Request | null
  /** As sent, without line end. */
  readonly requestLine: string
  /** Method as sent; `HEAD` for HEAD. */
  method: string
  /** Number of the method, for {@link MethodSet}. */
  methodNumber: number
  /** True for HEAD: the host drops the body, so handlers need not make it. */
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
  /** The file that translateName maps the URI to; '' before that. */
  filename: string
  /** The rest of the path after an existing file, '' if there is none. */
  pathInfo: string
  /** Null if nothing exists at `filename`. */
  fileInfo: FileInfo | null
  /** Name set by SetHandler or AddHandler, or null. */
  handler: string | null
  /** Media type of the response with its parameters; null if unknown. */
  contentType: string | null
  /** Language tags and codings, in order of application. */
  contentLanguages: readonly string[]
  /** Coding of the response, `gzip`; null for none. */
  contentEncoding: string | null
  /**
   * The type map or folder that was searched for variants of the requested resource; null if none was. Its
   * version becomes a part of the ETag, also after an internal redirect, so that different variants have
   * different tags. If it is set again, both versions become parts.
   * @since 2.4.3
   */
  variantsFrom: FileInfo | null
  /**
   * True if caches must not keep the response: it is sent with `Expires` at the time of the request, unless a
   * module set that field. Internal redirects keep the value; `fastRedirect` keeps it only if the sub-request
   * has it too.
   * @since 2.4.5
   */
  noCache: boolean
  /**
   * True if conditions such as If-None-Match are not evaluated: the response is made for each request.
   * @since 2.4.6
   */
  ignoresConditions: boolean
  /** The status of the response, 200 at first. */
  status: number
  /**
   * The reason phrase of the status line; null for that of the status. With a phrase, even an empty one, a status
   * without a meaning to the server is sent as it is. It stays when an error page replaces the response.
   * @throws TypeError when it is set, for a control character or one above U+00FF
   * @since 2.4.6
   */
  reason: string | null
  /**
   * Whether the request is passed to another server, and how; null if not. A module sets it with `filename`, from then
   * on `proxy:` and the URL of the resource. The response then keeps its own fields Date and Server, LimitRequestBody
   * does not apply, and the function of the handler hook has no time limit but its own.
   * @since 2.4.6
   */
  proxyRequest: ProxyRequestKind | null
  /**
   * True while the handler limits its own time, as one that waits for a program does: the host then sets no time limit for
   * the function of the handler hook, nor for the silence of a stream with which it responds after that.
   * @since 2.4.6
   */
  limitsItsTime: boolean
  /**
   * What a function of a hook does for another module or a line of the configuration at the moment, such as
   * `'Require rate 4' (FILE:LINE), a provider of mod_rate.c`; null unless it does. The log names it if the function throws
   * then, or does not settle within Timeout.
   * @since 2.4.6
   */
  occupation: string | null
  /**
   * The target as the client sent it, for redirects as well; null for sub-requests, and if there is none.
   * @since 2.4.6
   */
  readonly target: RequestTarget | null
  /**
   * The rate at which the body of the response is sent, ranges of it too; null for no limit. Set it before the head is
   * sent, in an output filter for example.
   * @since 2.4.6
   */
  sendRate: SendRate | null
  /** The user, as determined by checkUserId; null if unknown. */
  user: string | null
  /** AuthType that determined `user`; null without a user. */
  authType: string | null
  /**
   * The kind of rule that denied the request, for counters, such as names of providers. Modules that deny may
   * set it. Use only words of the configuration, never data from clients.
   * @since 2.4.4
   */
  refusedBy: string
  /**
   * The answer to a denial by Require lines. A provider sets it before it denies; of several, the last one counts. It has no
   * effect if the lines grant access, or if a user could still get it, who is then asked for a password.
   * @since 2.4.6
   */
  denial: Denial | null
  /**
   * A page of its own for one error status; null for the usual pages.
   * @since 2.4.6
   */
  customResponse: CustomResponse | null
  /** The client's address for access control and logs (mod_remoteip may change it). */
  useragentAddress: string
  /**
   * The client's port; 0 if unknown.
   * @since 2.4.3
   */
  useragentPort: number
  /** Header fields of the request. */
  readonly headersIn: Fields
  /** Header fields of a successful response; dropped if an error page is made. */
  readonly headersOut: Table
  /** Header fields that are kept for errors and internal redirects. */
  readonly errHeadersOut: Table
  /**
   * Private data that the modules exchange about one request. `error-notes` is shown on error pages;
   * `variant-list` is HTML for those of 300 and 406.
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
   * The value of DOCUMENT_ROOT for this request; null for the server's.
   * @since 2.4.3
   */
  documentRoot: string | null
  /** Milliseconds since the epoch when the request line was received; the fraction gives the microseconds. */
  readonly receivedAt: number
  /**
   * Per-directory configuration of all modules, by module number: read it through `configOf`. The same object
   * means the same sections.
   */
  readonly config: DirectoryConfig
  /**
   * The computing time of this request, for code that processes possibly long lists.
   * @since 2.4.5
   */
  readonly work: Work
  /**
   * Receives the steps of the decision about this request; null in normal service.
   * @since 2.4.2
   */
  readonly tracer: DecisionTracer | null
  /**
   * Receives the steps of the decision in normal service: {@link ForeignRequest.observer}; null for other requests.
   * @since 2.4.6
   */
  readonly observer: DecisionTracer | null

  /**
   * Answers 200 with a body: sets content type and body, returns OK. A text is treated as bytes, one per
   * character.
   * @throws TypeError for a text with a character above U+00FF, which `sendText` sends; such a text in a
   *   stream ends the connection instead
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
   * Sets the body but not its type; returns OK. A stream that yields nothing for Timeout ends, but see `limitsItsTime`.
   * @throws TypeError for a text with a character above U+00FF
   */
  respond(body: Body): Outcome
  /**
   * Adds an output filter to the response. Error pages are generated without the filters below {@link
   * FILTER_RANK}.protocol; an internal redirect starts without filters.
   * @param filter an object, or the name of a registered one; an unknown name is logged and has no effect
   * @since 2.4.3
   */
  addOutputFilter(filter: OutputFilter | string): void
  /**
   * Says that the response has passed this filter and those before it already: it passes only those after it.
   * @param filter an object that was added; without effect if it was not
   * @since 2.4.6
   */
  continueAfterFilter(filter: OutputFilter): void
  /**
   * Adds an input filter between the request body and its reader; call this before the body is read.
   * @param filter an object, or the name of a registered one; an unknown name is logged and has no effect
   * @since 2.4.4
   */
  addInputFilter(filter: InputFilter | string): void
  /**
   * Bytes of the request body as they arrive, after the filters; ends early with an error if the client
   * closes the connection or a limit is exceeded. It can be read once.
   * @param asks when a client that waits for a 100 (Continue) gets it: at once, or only if nothing of the body has arrived
   */
  readBody(asks?: 'at-once' | 'if-missing'): AsyncIterable<Uint8Array>
  /**
   * A body that readers get in the place of the client's: of this request, of its sub-requests and of requests to which it
   * is redirected; httpd's `kept_body`. Null if none was kept. Setting it makes Content-Length and Transfer-Encoding of the
   * request agree with it; `readBody` can then be called any number of times.
   * @since 2.4.6
   */
  keptBody: Uint8Array | null
  /**
   * Whether the client waits for a 100 (Continue) before it sends the body. The first read of the body sends one.
   * @since 2.4.6
   */
  readonly awaitsContinue: boolean
  /**
   * Sends an interim response, for example 103, at once.
   * @param fields must be valid as fields; those of the connection do not belong here
   * @returns false if it was not sent: the client speaks HTTP/1.0, the response has begun, or this is a sub-request
   * @throws RangeError for a status that is not from 100 to 199, and for 101
   * @throws TypeError for a field that is not valid
   * @since 2.4.6
   */
  sendInterim(status: number, reason: string, fields: Iterable<readonly [name: string, value: string]>): boolean
  /**
   * Calls the listener once if the client disconnects before the response is complete; at once if it has done so.
   * @returns a function that removes the listener
   * @since 2.4.6
   */
  whenGone(listener: () => void): () => void
  /**
   * Merges sections of the module ({@link Command.walkSection}) over the server's configuration, each over the result of
   * those before. For mapToStorage: `<Location>` and `<If>` are merged over the result.
   * @throws TypeError for objects that are not sections of this server
   * @since 2.4.6
   */
  mergeSections(sections: readonly Overlay[]): void
  /**
   * Reads and discards the request body.
   * @returns OK, or the status that rejects the body; synchronous if there is none
   */
  discardBody(): MaybePromise<Outcome>
  /**
   * Creates a sub-request for a URI (absolute path, query allowed). All phases up to fixups have run, and
   * `status` shows whether it would be served.
   * @param method its method, GET by default (since API 2.4.6)
   */
  lookupUri(uri: string, method?: string): MaybePromise<Request>
  /**
   * Decides about a request that another server received, as if its client had sent it to this one: all phases up to
   * fixups run, those that sub-requests skip too, on a connection of its own without TLS. Nothing is served or logged as
   * a request, and no ErrorDocument applies. Internal redirects by rules of folders are followed.
   * @returns a request whose `status` is 200 only if access was granted; else that of the refusal or redirect, with its fields
   * @throws TypeError for a target with a character above U+00FF
   * @since 2.4.6
   */
  lookupForeign(foreign: ForeignRequest): MaybePromise<Request>
  /**
   * Creates a sub-request for a file next to the current one (name without slash, or absolute path). URI
   * phases are skipped.
   */
  lookupFile(path: string): MaybePromise<Request>
  /**
   * Creates a sub-request for an entry of the folder to which this request maps, by its name alone. Its URI
   * and file name are those of the folder followed by the name, and by a slash if it is a folder. Phases that
   * process URIs are skipped.
   * @param args its query, none by default (since API 2.4.4)
   * @since 2.4.3
   */
  lookupEntry(name: string, args?: string | null): MaybePromise<Request>
  /**
   * Runs the handler of a sub-request and the filters that were added to it. Only the caller receives the
   * response. Call it at most once. If the lookup was rejected, the result is that rejection.
   * @throws TypeError for a request that is not a sub-request
   * @since 2.4.4
   */
  run(): MaybePromise<SubResponse>
  /**
   * Serves another URI of this server instead.
   * @param contentType the type of the response unless the new request sets one (since API 2.4.6); none if absent
   * @returns the outcome, which the calling handler returns
   */
  internalRedirect(uri: string, contentType?: string | null): MaybePromise<Outcome>
  /** Copies the results of a successful sub-request to this request, which is then served in its form. */
  fastRedirect(sub: Request): void
  /**
   * Adds the notes and the fields of a sub-request to those of this request, whose response reports what the
   * sub-request came to. The request from which this one was redirected does not get them.
   * @since 2.4.5
   */
  addFieldsOf(sub: Request): void
  /**
   * Whether the Options in force include a keyword.
   * @since 2.4.2
   */
  hasOption(option: OptionName): boolean
  /**
   * Sets Last-Modified and ETag from the properties of the file, according to FileETag.
   * @since 2.4.2
   */
  setValidators(): void
  /**
   * Evaluates the request's preconditions, such as If-Match, with the current ETag and modification time. A
   * resource of unknown time counts as modified now.
   * @returns OK, 304 or 412, for a handler to return
   * @since 2.4.5
   */
  meetsConditions(): Outcome
  /** Runs `check` with the overlay's directives merged over this request's configuration. */
  withOverlay<T>(overlay: Overlay, check: () => MaybePromise<T>): MaybePromise<T>
  /**
   * Makes scheme://host[:port] + path, according to UseCanonicalName, for Location headers; the path is sent
   * as given.
   */
  absoluteUrl(path: string): string
  /** Name of the server in self-referential URLs. */
  serverName(): string
  /** Port in self-referential URLs, according to UseCanonicalName and UseCanonicalPhysicalPort. */
  serverPort(): number
  /**
   * Adds a cleanup, which is called once when the request ends, after it was logged; for a sub-request, when
   * its main request ends. Cleanups run in reverse order of registration; an error in one is logged and does
   * not prevent the others.
   */
  onDone(cleanup: () => void): void
}

/**
 * The response of a sub-request.
 * @since 2.4.4
 */
export interface SubResponse {
  /** 200, or the status that would reject the request; then there is no body. */
  readonly status: number
  /** Media type of the body; null if the handler set none. */
  readonly contentType: string | null
  /**
   * The body after its filters. Read a stream to its end or leave it with `break`, because it may hold a file
   * open.
   */
  readonly body: FilteredBody
}

/** A merged per-directory configuration. Opaque to modules. */
export interface DirectoryConfig {
  /** One object per module, by its number. */
  readonly slots: readonly unknown[]
  /**
   * The sections that were merged into it, in that order, without the defaults of servers.
   * @since 2.4.2
   */
  readonly sections: readonly SectionInfo[]
}
