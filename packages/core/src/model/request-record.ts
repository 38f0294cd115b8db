import {
  type Body,
  type CustomResponse,
  type Denial,
  FILTER_RANK,
  type FileInfo,
  type ForeignRequest,
  type InputFilter,
  type MaybePromise,
  OK,
  type OptionName,
  type Outcome,
  type OutputFilter,
  type Overlay,
  type Request,
  type SubResponse,
} from '@gatewright/api'
import { type Html, isByteText, requireByteText } from '@gatewright/api/text'
import type { DecisionTracer } from '@gatewright/api/tracing'
import { type BodyRequest, type Exchange, type HeaderFields, HTTP_1_1, type ResponseListener } from '@gatewright/http'
import { addFields } from '../base/add-fields.ts'
import { discardBody } from '../base/discard-body.ts'
import type { LogId } from '../base/log-ids.ts'
import { joinLists, listEtag } from '../base/variants-etag.ts'
import type { RequestWork } from '../work/request-work.ts'
import { Answer, NO_ANSWER } from './answer.ts'
import type { BodyFraming } from './body-framing.ts'
import type { ClientName } from './client-name.ts'
import type { ConnectionRecord } from './connection-record.ts'
import { effectiveOptions, OPTION_BITS } from './directory-config.ts'
import { inUtf8 } from './in-utf8.ts'
import { insertBefore } from './insert-before.ts'
import type { MergedConfig } from './merged-config.ts'
import type { RequestHost } from './request-host.ts'
import { RequestRelay } from './request-relay.ts'
import { ACCESS_GRANTED, ACCESS_UNDECIDED, NOT_WALKED } from './request-states.ts'
import { Section } from './section.ts'
import { ownUrl } from './self-reference.ts'
import type { ServerRecord } from './server-record.ts'
import { takeOver } from './take-over.ts'
import type { WorkPlace } from './work-place.ts'

const NO_SECTIONS: readonly Section[] = []

/**
 * A request. One class of fixed shape: the constructor sets every field to the type it keeps, so that the
 * loop over the phases stays fast.
 */
export class RequestRecord extends RequestRelay implements Request, ResponseListener {
  readonly host: RequestHost
  readonly connection: ConnectionRecord
  /** null for sub-requests, which do not respond to a client. */
  readonly exchange: Exchange | null
  server: ServerRecord
  readonly main: RequestRecord | null
  readonly prev: RequestRecord | null
  /** The request by which another server asks about this one, which it received; null for all other requests. */
  asker: RequestRecord | null = null
  /** The request that was internally redirected to this one. */
  next: RequestRecord | null = null
  observer: DecisionTracer | null = null
  requestLine = ''
  method = 'GET'
  methodNumber = 0
  headerOnly = false
  protocol = 'HTTP/1.1'
  version: number = HTTP_1_1
  unparsedUri = ''
  uri = '/'
  args: string | null = null
  filename = ''
  /** `filename` before path info was cut off, for messages. */
  canonicalFilename = ''
  pathInfo = ''
  fileInfo: FileInfo | null = null
  handler: string | null = null
  /**
   * The handler that generated the response; if none was set, the content type in its place. null if there is
   * none yet.
   */
  answeredBy: string | null = null
  #variantsFrom: FileInfo | null = null
  /** The ETag of all lists of variants that negotiation consulted for this request, the last one first. */
  variantsTag: string | null = null
  noCache = false
  ignoresConditions = false
  status = 200
  refusedBy = ''
  denial: Denial | null = null
  customResponse: CustomResponse | null = null
  useragentAddress: string
  useragentPort: number
  readonly headersIn: HeaderFields
  allowed: Set<string> | null = null
  contextPrefix = ''
  contextDocumentRoot = ''
  documentRoot: string | null = null
  receivedAt = 0
  /** Microseconds on the process's monotonic clock when the request line was received. */
  receivedAtUs = 0
  config: MergedConfig
  /** Name and port from the Host header or the request target; '' and 0 if there is none. */
  hostname = ''
  /** Also true for the empty name of `http:///path`, which ServerName does not replace. */
  namesHost = false
  hostPort = 0
  /** Sections that the location walk found, and the URI for which it found them. */
  locationUri = ''
  locationSections: readonly Section[] = NO_SECTIONS
  /**
   * The progress and the results of the walks through sections, which decide whether the same walks of a
   * later request have the same result.
   */
  walkStage: number = NOT_WALKED
  /** The path before its escapes were decoded, and its configuration; null if both walks are one. */
  encodedConfig: MergedConfig | null = null
  encodedUri = ''
  /**
   * The path that was translated, and its configuration; null for a sub-request for a file, which is not
   * translated.
   */
  translatedConfig: MergedConfig | null = null
  translatedUri = ''
  /**
   * The folder in which the walk through folders ended: null before it, '' if no later walk can end in the
   * same folder.
   */
  walkedFolder: string | null = null
  /** The result of that walk. */
  walkedConfig: MergedConfig
  /** True if the walk of the previous request ended in the same folder, and its result was reused. */
  walkedBefore = false
  /** The name that `<Files>` sections were compared with; null if there were none. */
  walkedFile: string | null = null
  /** The configuration after folders and files. */
  storedConfig: MergedConfig
  /** The complete configuration, and the path for which its Location sections were found. */
  finalConfig: MergedConfig
  finalUri = ''
  /**
   * What the walk through If sections in progress has found so far; null if no walk is in progress.
   * Conditions may look up requests, which are compared with this one.
   */
  ifWalkConfig: MergedConfig | null = null
  /** The sub-request that replaced this request, with its configuration; null if there is none. */
  replacedBy: RequestRecord | null = null
  body: Body | null = null
  /** Filters that the response has yet to pass, in order; null if there are none. */
  outputFilters: OutputFilter[] | null = null
  /** Filters that the request body passes on its way to its reader, in order; null if there are none. */
  inputFilters: InputFilter[] | null = null
  /** Module data by slot number; null if there is none. */
  moduleSlots: unknown[] | null = null
  /** Length of the body that was sent, without heads and framing. */
  bodyBytesSent = 0
  /** True if the status line contains HTTP/1.0 and the connection closes, because of force-response-1.0 or force-no-vary. */
  forcedTo10 = false
  /** True for an error page whose type is sent without a character set, because of the variable suppress-error-charset. */
  charsetSuppressed = false
  /** Internal redirects of this request that are being served. */
  redirecting = 0
  /** Number of redirects and sub-requests that led to this request, for LimitInternalRecursion. */
  redirectDepth = 0
  subrequestDepth = 0
  /**
   * The response to the client, shared with the requests to which this one is redirected; that of a
   * sub-request is never sent.
   */
  readonly answer: Answer
  /** The status that an error page replaces; 0 if there is none. */
  errorStatus = 0
  /** The cached lookup of the client's name if its address differs from the connection's; null before the lookup. */
  clientName: ClientName | null = null
  /** Modification time of the resource, in milliseconds since 1970; 0 until a handler sets it. */
  modifiedMs = 0
  limitsItsTime = false
  occupation: string | null = null
  /** The source name of the module whose stream is the body and must not be silent for longer than Timeout; null without one. */
  limitedStreamOf: string | null = null
  /** How the response that was sent marks the end of its body; null before. */
  sentFraming: BodyFraming | null = null
  /** The status with which access control ended the request, if it did, else 0: a 401 is then challenged. */
  refusalStatus = 0
  /** The access decision so far: ACCESS_UNDECIDED and the related values. */
  access: number = ACCESS_UNDECIDED
  /** True if a module left the path as the client sent it, with its escapes. */
  staysEncoded = false
  /** Module and code of the last message about this request at level error or more severe. */
  errorModule = ''
  errorCode = ''
  firstByteAtUs = 0
  /** The slot in which status pages show the active request; null if it is not active. */
  place: WorkPlace | null = null
  logId: LogId | null = null
  /** True if the response does not state its length, as in httpd: the request body or a field was rejected. */
  lengthUnstated = false
  /**
   * True on the first request of a chain if the rest of its body is not read: the body was rejected, or the
   * connection closes after the response.
   */
  bodyIsOver = false
  /**
   * True on the first request of a chain if an error closes the connection after the response, even if the
   * response has the status of another error.
   */
  endsConnection = false
  /** The requested ranges cannot be satisfied: the error page is sent without its length, as in httpd. */
  rangeRefused = false
  /** A field that a module set is invalid; the response is 500. */
  fieldsRefused = false
  #ownWork: RequestWork | null = null

  /** The record of a request; modules only have requests of this server. @throws TypeError for any other object */
  static of(request: object): RequestRecord {
    if (!(request instanceof RequestRecord)) throw new TypeError('not a request of this server')
    return request
  }

  constructor(
    host: RequestHost,
    connection: ConnectionRecord,
    exchange: Exchange | null,
    server: ServerRecord,
    headersIn: HeaderFields,
    main: RequestRecord | null,
    prev: RequestRecord | null,
  ) {
    super()
    this.host = host
    this.connection = connection
    this.exchange = exchange
    this.server = server
    this.main = main
    this.prev = prev
    this.answer = prev !== null ? prev.answer : exchange !== null ? new Answer() : NO_ANSWER
    this.headersIn = headersIn
    this.useragentAddress = connection.remoteAddress
    this.useragentPort = connection.remotePort
    this.config = server.walkBase
    this.walkedConfig = this.config
    this.storedConfig = this.config
    this.finalConfig = this.config
  }

  get work(): RequestWork {
    return (this.#ownWork ??= (this.main ?? this.prev ?? this.asker)?.work ?? this.host.newWork(this))
  }

  /** True if access control granted access. */
  get variantsFrom(): FileInfo | null {
    return this.#variantsFrom
  }

  /** A second list, such as a type map after a folder without variants, is added to the first one. */
  set variantsFrom(from: FileInfo | null) {
    this.#variantsFrom = from
    this.variantsTag = from === null ? null : joinLists(listEtag(from, this.config.core.etag, this.receivedAt), this.variantsTag)
  }

  get accessGranted(): boolean {
    return this.access === ACCESS_GRANTED
  }

  get tracer(): DecisionTracer | null {
    return this.connection.tracer
  }

  send(contentType: string, body: Body): Outcome {
    this.contentType = contentType
    return this.respond(body)
  }

  sendText(contentType: string, text: string | Html): Outcome {
    this.contentType = inUtf8(contentType)
    this.body = Buffer.from(String(text), 'utf8')
    return OK
  }

  sendJson(value: unknown): Outcome {
    const text: string | undefined = JSON.stringify(value)
    if (text === undefined) throw new TypeError('JSON cannot represent this value')
    return this.sendText('application/json', text)
  }

  respond(body: Body): Outcome {
    if (typeof body === 'string' && !isByteText(body)) requireByteText('the body of the response', body, 'send it with sendText')
    this.body = body
    return OK
  }

  addOutputFilter(filter: OutputFilter | string): void {
    const found = typeof filter === 'string' ? this.host.outputFilter(this, filter) : filter
    if (found !== null) insertBefore((this.outputFilters ??= []), found, ({ rank }) => rank > found.rank)
  }

  continueAfterFilter(filter: OutputFilter): void {
    this.outputFilters?.splice(0, this.outputFilters.indexOf(filter) + 1)
    if (this.outputFilters?.length === 0) this.outputFilters = null
  }

  addInputFilter(filter: InputFilter | string): void {
    const found = typeof filter === 'string' ? this.host.inputFilter(this, filter) : filter
    if (found !== null) insertBefore((this.inputFilters ??= []), found, ({ rank }) => rank <= found.rank)
  }

  run(): MaybePromise<SubResponse> {
    if (this.main === null || this.prev !== null) throw new TypeError('only a sub-request can be run')
    return this.host.runSubrequest(this)
  }

  /**
   * The prepared response is discarded: a page in its place passes only the filters that every response
   * passes.
   */
  dropContentFilters(): void {
    if (this.outputFilters === null) return
    const kept = this.outputFilters.filter(({ rank }) => rank >= FILTER_RANK.protocol)
    this.outputFilters = kept.length === 0 ? null : kept
  }

  readBody(asks: BodyRequest = 'at-once'): AsyncIterable<Uint8Array> {
    return this.host.readBody(this, asks)
  }

  discardBody(): MaybePromise<Outcome> {
    return this.host.discardBody(this)
  }

  lookupUri(uri: string, method = 'GET'): MaybePromise<Request> {
    return this.host.lookupUri(this, uri, method)
  }

  lookupForeign(foreign: ForeignRequest): MaybePromise<Request> {
    return this.host.lookupForeign(this, foreign)
  }

  lookupFile(path: string): MaybePromise<Request> {
    return this.host.lookupFile(this, path)
  }

  lookupEntry(name: string, args: string | null = null): MaybePromise<Request> {
    return this.host.lookupEntry(this, name, args)
  }

  hasOption(option: OptionName): boolean {
    return (effectiveOptions(this.config.core) & OPTION_BITS[option]) === OPTION_BITS[option]
  }

  meetsConditions(): Outcome {
    return this.host.meetsConditions(this)
  }

  setValidators(): void {
    this.host.setValidators(this)
  }

  internalRedirect(uri: string, contentType: string | null = null): MaybePromise<Outcome> {
    return this.host.internalRedirect(this, uri, contentType)
  }

  fastRedirect(sub: Request): void {
    if (!(sub instanceof RequestRecord)) throw new TypeError('not a sub-request of this server')
    takeOver(this, sub)
  }

  addFieldsOf(sub: Request): void {
    this.separateErrHeaders()
    addFields(this.notes, sub.notes)
    addFields(this.headersOut, sub.headersOut)
    addFields(this.errHeadersOut, sub.errHeadersOut)
  }

  withOverlay<T>(overlay: Overlay, check: () => MaybePromise<T>): MaybePromise<T> {
    const before = this.config
    this.config = before.with(overlaySection(overlay))
    let result: MaybePromise<T>
    try {
      result = check()
    } catch (error) {
      this.config = before
      throw error
    }
    if (!(result instanceof Promise)) {
      this.config = before
      return result
    }
    return result.finally(() => {
      this.config = before
    })
  }

  absoluteUrl(path: string): string {
    return ownUrl(this) + path
  }

  get scheme(): 'http' | 'https' {
    return this.connection.scheme ?? this.server.scheme
  }

  serverName(): string {
    return this.host.serverName(this)
  }

  serverPort(): number {
    return this.host.serverPort(this)
  }

  onDone(cleanup: () => void): void {
    // The end of a sub-request is not reported, and its resources may be part of the main request's response.
    const { main, asker } = this
    if (main !== null) return main.onDone(cleanup)
    if (asker !== null) return asker.onDone(cleanup)
    this.answer.onEnd(cleanup)
  }

  /** Replaces the body with another one, and closes the old one. */
  replaceBody(body: Body | null): void {
    if (this.body !== body) discardBody(this.body)
    this.body = body
  }

  responseSent(): void {
    this.host.end.finish(this)
  }

  /** The response ended before its last byte. */
  responseBroken(): void {
    this.host.end.finish(this)
  }

  /** The request that the client sent. */
  get original(): RequestRecord {
    let first: RequestRecord = this
    while (first.prev !== null) first = first.prev
    return first
  }

  /** The last request to which this one was redirected, or this one. */
  get final(): RequestRecord {
    let last: RequestRecord = this
    while (last.next !== null) last = last.next
    return last
  }
}

/** Only this package creates overlays, as sections. */
function overlaySection(overlay: Overlay): Section {
  if (!(overlay instanceof Section)) throw new TypeError('not an overlay of this server')
  return overlay
}
