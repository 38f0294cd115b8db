import {
  type Body,
  FILTER_RANK,
  type Fields,
  type FileInfo,
  type InputFilter,
  type MaybePromise,
  OK,
  type OptionName,
  type Outcome,
  type OutputFilter,
  type Overlay,
  type Request,
  type SubResponse,
  Table,
} from '@gatewright/api'
import { type Html, isByteText, requireByteText } from '@gatewright/api/text'
import type { DecisionTracer } from '@gatewright/api/tracing'
import { type Exchange, HTTP_1_1, type ResponseListener } from '@gatewright/http'
import { discardBody } from '../base/discard-body.ts'
import type { RequestWork } from '../work/request-work.ts'
import { Answer, NO_ANSWER } from './answer.ts'
import type { BodyFraming } from './body-framing.ts'
import type { ClientName } from './client-name.ts'
import type { ConnectionRecord } from './connection-record.ts'
import { effectiveOptions, OPTION_BITS } from './directory-config.ts'
import type { MergedConfig } from './merged-config.ts'
import { Section } from './section.ts'
import { serverNameInUrl } from './self-reference.ts'
import type { ServerRecord } from './server-record.ts'
import type { WorkPlace } from './work-place.ts'

/** What requests ask of the generation that serves them. */
export interface RequestHost {
  lookupUri(request: RequestRecord, uri: string): MaybePromise<RequestRecord>
  lookupFile(request: RequestRecord, path: string): MaybePromise<RequestRecord>
  lookupEntry(request: RequestRecord, name: string, args: string | null): MaybePromise<RequestRecord>
  setValidators(request: RequestRecord): void
  meetsConditions(request: RequestRecord): Outcome
  internalRedirect(request: RequestRecord, uri: string): MaybePromise<Outcome>
  /** The filter of a name; null, and a line in the log, when there is none. */
  outputFilter(request: RequestRecord, name: string): OutputFilter | null
  /** The same of input filters. */
  inputFilter(request: RequestRecord, name: string): InputFilter | null
  runSubrequest(request: RequestRecord): MaybePromise<SubResponse>
  /** The account of what a client's request computes. */
  newWork(request: RequestRecord): RequestWork
  discardBody(request: RequestRecord): MaybePromise<Outcome>
  readBody(request: RequestRecord): AsyncIterable<Uint8Array>
  serverName(request: RequestRecord): string
  serverPort(request: RequestRecord): number
  /** The last byte of a response was handed over, or the client has gone: false. */
  finish(request: RequestRecord, complete: boolean): void
}

/** Values of `walkStage`. */
export const NOT_WALKED: number = 0
export const TRANSLATED: number = 1
/** The walk through folders has begun, with the server's defaults. */
export const MAPPING: number = 2
/** Folders and files were walked. */
export const STORED: number = 3
/** The configuration is complete. */
export const WALKED: number = 4

/** Values of `access`: what is known of whether the client may have what it asked for. */
export const ACCESS_UNDECIDED: number = 0
/** Granted to a client whose name nobody asked for. */
export const ACCESS_WITHOUT_USER: number = 1
/** The user's name decides. */
export const ACCESS_NEEDS_USER: number = 2
export const ACCESS_GRANTED: number = 3

const NO_LANGUAGES: readonly string[] = []
const NO_SECTIONS: readonly Section[] = []

/**
 * A request. One class of fixed shape: every field is set in the constructor, to the type it keeps, so that the loop over the phases
 * stays fast; tables that few requests need are made when they are asked for.
 */
export class RequestRecord implements Request, ResponseListener {
  readonly host: RequestHost
  readonly connection: ConnectionRecord
  /** null for sub-requests: they answer nobody. */
  readonly exchange: Exchange | null
  server: ServerRecord
  readonly main: RequestRecord | null
  readonly prev: RequestRecord | null
  /** The request this one was internally redirected to. */
  next: RequestRecord | null = null
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
  /** The handler that made the response: where none was set, the content type that stood for it. null while there is none. */
  answeredBy: string | null = null
  variantsFrom: FileInfo | null = null
  noCache = false
  status = 200
  refusedBy = ''
  useragentAddress: string
  useragentPort: number
  readonly headersIn: Fields
  allowed: Set<string> | null = null
  contextPrefix = ''
  contextDocumentRoot = ''
  documentRoot: string | null = null
  receivedAt = 0
  /** Microseconds on the process's own clock when the request line was received. */
  receivedAtUs = 0
  config: MergedConfig
  /** Name and port of the Host header or the target; '' and 0 when there is none. */
  hostname = ''
  /** Also true for the empty name of `http:///path`, which no ServerName replaces. */
  namesHost = false
  hostPort = 0
  /** Sections that the location walk found, for the URI they were found for. */
  locationUri = ''
  locationSections: readonly Section[] = NO_SECTIONS
  /** How far the walks through sections have come, and what they found: what tells whether the same walks of a later request have the same result. */
  walkStage: number = NOT_WALKED
  /** The path as it was before its escapes were decoded, and the configuration for it; null where both walks are one. */
  encodedConfig: MergedConfig | null = null
  encodedUri = ''
  /** The path that was translated, and the configuration for it; null for a sub-request for a file, which is not translated. */
  translatedConfig: MergedConfig | null = null
  translatedUri = ''
  /** The folder that the walk through folders ended in: null before it, '' where no later walk can end in the same. */
  walkedFolder: string | null = null
  /** What that walk found. */
  walkedConfig: MergedConfig
  /** True when the walk of the request before this one had ended in the same folder, and its result was taken over. */
  walkedBefore = false
  /** The name that `<Files>` sections were compared with; null where there were none. */
  walkedFile: string | null = null
  /** The configuration after folders and files. */
  storedConfig: MergedConfig
  /** The configuration that is complete, and the path that its Location sections were found for. */
  finalConfig: MergedConfig
  finalUri = ''
  /** The sub-request that this request was replaced by, with its configuration; null for none. */
  replacedBy: RequestRecord | null = null
  body: Body | null = null
  /** Filters that the response has still to pass, in that order; null for none. */
  outputFilters: OutputFilter[] | null = null
  /** Filters that the request body passes on its way to whoever reads it, in that order; null for none. */
  inputFilters: InputFilter[] | null = null
  /** What modules remember of it, by number of their slots; null for nothing. */
  moduleSlots: unknown[] | null = null
  /** Length of the body that was sent, heads and framing not counted. */
  bodyBytesSent = 0
  /** True when the status line says HTTP/1.0, and the connection ends: the variables force-response-1.0 and force-no-vary. */
  forcedTo10 = false
  /** Persistence as it was decided when the head was written. */
  persistent = false
  /** Internal redirects of this request that are being served. */
  redirecting = 0
  /** Redirects and sub-requests that led here, for LimitInternalRecursion. */
  redirectDepth = 0
  subrequestDepth = 0
  /** The answer to the client, shared with the requests that this one is redirected to; that of a sub-request is never sent. */
  readonly answer: Answer
  /** Status that an error page replaces; 0 when none. */
  errorStatus = 0
  /** What is known of the client's name where its address is not the connection's; null before it was asked for. */
  clientName: ClientName | null = null
  /** When what is sent was modified, in milliseconds since 1970; 0 until a handler says it. */
  modifiedMs = 0
  /** How the response that was sent marks the end of its body; null before. */
  sentFraming: BodyFraming | null = null
  /** Status that access control ended the request with: a 401 is challenged then. 0 when it did not. */
  refusalStatus = 0
  /** What access control has found so far: ACCESS_UNDECIDED and its like. */
  access: number = ACCESS_UNDECIDED
  /** True when a module left the path as the client sent it: its escapes are not decoded. */
  staysEncoded = false
  /** Module and code of the last message at error or worse about this request. */
  errorModule = ''
  errorCode = ''
  firstByteAtUs = 0
  /** Where status pages show it while it is in work; null when it is not. */
  place: WorkPlace | null = null
  logId = ''
  /** True when the response does not state its length, as in httpd: the request body, or a field of the response, was refused. */
  lengthUntold = false
  /** True on the first request of a chain when nobody reads its body any more: it was refused, or the connection ends after the answer. */
  bodyIsOver = false
  /** True on the first request of a chain when an error ends the connection after the answer, also where the answer has the status of another error. */
  endsConnection = false
  /** The ranges that were asked for cannot be satisfied: the page that says so is sent without its length, as httpd does. */
  rangeRefused = false
  /** A field that modules set was not fit to be sent; 500 is. */
  fieldsRefused = false
  private typeText: string | null = null
  private languageTexts: readonly string[] = NO_LANGUAGES
  private encodingText: string | null = null
  private userText: string | null = null
  private authTypeText: string | null = null
  private ownWork: RequestWork | null = null
  private headersOutTable: Table | null = null
  private errHeadersOutTable: Table | null = null
  private notesTable: Table | null = null
  private envTable: Table | null = null

  constructor(
    host: RequestHost,
    connection: ConnectionRecord,
    exchange: Exchange | null,
    server: ServerRecord,
    headersIn: Fields,
    main: RequestRecord | null,
    prev: RequestRecord | null,
  ) {
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
    return (this.ownWork ??= (this.main ?? this.prev)?.work ?? this.host.newWork(this))
  }

  /** True when access control let it pass. */
  get accessGranted(): boolean {
    return this.access === ACCESS_GRANTED
  }

  get tracer(): DecisionTracer | null {
    return this.connection.tracer
  }

  // What goes into fields, logs and decisions holds one byte per character: what does not is refused where it is set, so that the stack names whoever did it.

  get contentType(): string | null {
    return this.typeText
  }

  set contentType(type: string | null) {
    if (type !== null && !isByteText(type)) requireByteText('the content type', type)
    this.typeText = type
  }

  get contentEncoding(): string | null {
    return this.encodingText
  }

  set contentEncoding(encoding: string | null) {
    if (encoding !== null && !isByteText(encoding)) requireByteText('the content encoding', encoding)
    this.encodingText = encoding
  }

  get contentLanguages(): readonly string[] {
    return this.languageTexts
  }

  set contentLanguages(languages: readonly string[]) {
    for (let index = 0; index < languages.length; index++) requireByteText('a content language', languages[index])
    this.languageTexts = languages
  }

  get user(): string | null {
    return this.userText
  }

  set user(user: string | null) {
    if (user !== null && !isByteText(user)) requireByteText('the name of the user', user)
    this.userText = user
  }

  get authType(): string | null {
    return this.authTypeText
  }

  set authType(type: string | null) {
    if (type !== null && !isByteText(type)) requireByteText('the authentication type', type)
    this.authTypeText = type
  }

  get headersOut(): Table {
    return (this.headersOutTable ??= new Table())
  }

  get errHeadersOut(): Table {
    return (this.errHeadersOutTable ??= new Table())
  }

  get notes(): Table {
    return (this.notesTable ??= new Table())
  }

  get env(): Table {
    return (this.envTable ??= new Table())
  }

  /** The tables when there are any, so that reading does not make them. */
  get existingHeadersOut(): Table | null {
    return this.headersOutTable
  }

  get existingErrHeadersOut(): Table | null {
    return this.errHeadersOutTable
  }

  get existingEnv(): Table | null {
    return this.envTable
  }

  get existingNotes(): Table | null {
    return this.notesTable
  }

  /** Drops the headers of a successful response, as an error page does: those that survive errors are its normal ones. */
  clearHeadersOut(): void {
    this.headersOutTable = this.errHeadersOutTable
    this.errHeadersOutTable = null
  }

  adoptErrHeaders(other: RequestRecord): void {
    this.errHeadersOutTable = other.errHeadersOut as Table
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
    if (text === undefined) throw new TypeError('this value cannot be said in JSON')
    return this.sendText('application/json', text)
  }

  respond(body: Body): Outcome {
    if (typeof body === 'string' && !isByteText(body)) requireByteText('the body of the response', body, 'send it with sendText')
    this.body = body
    return OK
  }

  addOutputFilter(filter: OutputFilter | string): void {
    const found = typeof filter === 'string' ? this.host.outputFilter(this, filter) : filter
    if (found === null) return
    const filters = (this.outputFilters ??= [])
    const later = filters.findIndex(({ rank }) => rank > found.rank)
    filters.splice(later < 0 ? filters.length : later, 0, found)
  }

  addInputFilter(filter: InputFilter | string): void {
    const found = typeof filter === 'string' ? this.host.inputFilter(this, filter) : filter
    if (found === null) return
    const filters = (this.inputFilters ??= [])
    const later = filters.findIndex(({ rank }) => rank <= found.rank)
    filters.splice(later < 0 ? filters.length : later, 0, found)
  }

  run(): MaybePromise<SubResponse> {
    if (this.main === null || this.prev !== null) throw new TypeError('only a sub-request can be run')
    return this.host.runSubrequest(this)
  }

  /** What was to be sent is not: a page that is made instead passes only what any response does. */
  dropContentFilters(): void {
    if (this.outputFilters === null) return
    const kept = this.outputFilters.filter(({ rank }) => rank >= FILTER_RANK.protocol)
    this.outputFilters = kept.length === 0 ? null : kept
  }

  readBody(): AsyncIterable<Uint8Array> {
    return this.host.readBody(this)
  }

  discardBody(): MaybePromise<Outcome> {
    return this.host.discardBody(this)
  }

  lookupUri(uri: string): MaybePromise<Request> {
    return this.host.lookupUri(this, uri)
  }

  lookupFile(path: string): MaybePromise<Request> {
    return this.host.lookupFile(this, path)
  }

  lookupEntry(name: string, args: string | null = null): MaybePromise<Request> {
    return this.host.lookupEntry(this, name, args)
  }

  hasOption(option: OptionName): boolean {
    return (effectiveOptions(this.config.core) & OPTION_BITS[option]) !== 0
  }

  meetsConditions(): Outcome {
    return this.host.meetsConditions(this)
  }

  setValidators(): void {
    this.host.setValidators(this)
  }

  internalRedirect(uri: string): MaybePromise<Outcome> {
    return this.host.internalRedirect(this, uri)
  }

  fastRedirect(sub: Request): void {
    if (!(sub instanceof RequestRecord)) throw new TypeError('not a sub-request of this server')
    this.uri = sub.uri
    this.args = sub.args
    this.filename = sub.filename
    this.canonicalFilename = sub.canonicalFilename
    this.pathInfo = sub.pathInfo
    this.fileInfo = sub.fileInfo
    this.handler = sub.handler
    this.contentType = sub.contentType
    this.contentLanguages = sub.contentLanguages
    this.contentEncoding = sub.contentEncoding
    this.outputFilters = sub.outputFilters
    this.config = sub.config
    this.replacedBy = sub
    this.noCache &&= sub.noCache
    this.contextPrefix = sub.contextPrefix
    this.contextDocumentRoot = sub.contextDocumentRoot
    this.documentRoot = sub.documentRoot
    takeFields(this.headersOut, sub.headersOut)
    takeFields(this.errHeadersOut, sub.errHeadersOut)
    for (const [name, value] of sub.env) this.env.set(name, value)
    for (const [name, value] of sub.notes) this.notes.set(name, value)
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
    const host = serverNameInUrl(this.serverName())
    const port = this.serverPort()
    const standard = this.server.scheme === 'https' ? 443 : 80
    return `${this.server.scheme}://${host}${port === standard ? '' : `:${port}`}${path}`
  }

  serverName(): string {
    return this.host.serverName(this)
  }

  serverPort(): number {
    return this.host.serverPort(this)
  }

  onDone(cleanup: () => void): void {
    // Nobody is told when a sub-request is over, and what it holds may be a part of the main request's answer.
    if (this.main !== null) return this.main.onDone(cleanup)
    this.answer.onEnd(cleanup)
  }

  /** Puts a body in place of another one, which is closed. */
  replaceBody(body: Body | null): void {
    if (this.body !== body) discardBody(this.body)
    this.body = body
  }

  responseSent(): void {
    this.host.finish(this, true)
  }

  /** The response ended before its last byte. */
  responseBroken(): void {
    this.host.finish(this, false)
  }

  /** The request that the client sent. */
  get original(): RequestRecord {
    let first: RequestRecord = this
    while (first.prev !== null) first = first.prev
    return first
  }

  /** The last of the requests that this one was redirected to, or itself. */
  get final(): RequestRecord {
    let last: RequestRecord = this
    while (last.next !== null) last = last.next
    return last
  }
}

/** A media type that says UTF-8. @throws TypeError when it says another charset */
function inUtf8(type: string): string {
  const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(type)?.[1]
  if (charset === undefined) return `${type}; charset=utf-8`
  if (!/^utf-?8$/i.test(charset)) throw new TypeError(`sendText sends UTF-8, and the content type says ${charset}`)
  return type
}

/** Fields of the same name are replaced, except Vary: what the request depended on before counts for the response as well. */
function takeFields(to: Table, from: Table): void {
  const before = from.has('Vary') ? to.getAll('Vary') : []
  for (const [name, value] of from) to.set(name, value)
  for (const value of before) to.add('Vary', value)
}

/** Overlays are made by this package alone, as sections. */
function overlaySection(overlay: Overlay): Section {
  if (!(overlay instanceof Section)) throw new TypeError('not an overlay of this server')
  return overlay
}
