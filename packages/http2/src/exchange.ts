import type {
  BodyConsumer,
  BodyRequest,
  Exchange,
  FilePart,
  FileSent,
  HeaderFields,
  ParsedTarget,
  ReadTimeLimit,
  Refusal,
  ResponseHead,
  ResponseImages,
  ResponseListener,
  WireImage,
} from '@gatewright/http'
import { wireBytes } from '@gatewright/http'
import type { Http2Connection } from './connection.ts'
import { ERROR } from './error-codes.ts'
import { FileReading } from './file-reading.ts'
import { Http2Image } from './http2-image.ts'
import { IncomingBody } from './incoming-body.ts'
import { OutgoingBody } from './outgoing-body.ts'
import { type Priority, UNSTATED } from './priority.ts'
import type { Sender } from './send-queue.ts'
import type { TunnelKind } from './tunnel-head.ts'

/** HTTP/2.0 as the host counts versions. */
const HTTP_2 = 2000

/** With more than this waiting, a writer pauses. */
const WAITING_MAX = 64 * 1024

/** The progress of the response. */
const WAITING = 0
const STREAMING = 1
const ANSWERED = 2

/** The request of a stream as the connection has read it. */
export interface StreamRequest {
  readonly method: string
  readonly target: string
  readonly uri: ParsedTarget
  readonly requestLine: string
  readonly fields: HeaderFields
  readonly hostname: string | null
  readonly hostPort: number
  readonly refusal: Refusal | null
  readonly contentLength: number
  /** False for a request that ended with its header block. */
  readonly hasBody: boolean
  /** Of a CONNECT: what follows the header block is no body, but for the tunnel. Null for other requests. */
  readonly tunnel: TunnelKind | null
  readonly priority: Priority
  readonly bytes: number
  readonly receivedAt: number
  readonly receivedAtUs: number
}

/** One stream: a request and its response. */
export class Http2Exchange implements Exchange, ResponseImages, Sender {
  readonly connection: Http2Connection
  readonly id: number
  readonly requestLine: string
  readonly method: string
  readonly target: string
  readonly uri: ParsedTarget
  readonly protocol = 'HTTP/2.0'
  readonly isStream = true
  readonly version: number = HTTP_2
  readonly fields: HeaderFields
  readonly hostname: string | null
  readonly hostPort: number
  readonly refusal: Refusal | null
  readonly receivedAt: number
  readonly receivedAtUs: number
  readonly hasBody: boolean
  readonly tunnel: TunnelKind | null
  readonly contentLength: number
  /** A client of HTTP/2 does not wait for 100 (Continue) here: its window admits the start of the body. */
  readonly expectContinue: boolean
  readonly awaitsContinue = false
  bodyLimit: ReadTimeLimit | null
  bytesReceived: number
  bytesSent = 0
  aborted = false
  onDrain: (() => void) | null = null
  trailers: HeaderFields | null = null
  urgency: number
  incremental: boolean
  isQueued = false
  /** The stream that was being answered when this one was pushed; 0 for a stream of the client. */
  readonly pushedOn: number

  readonly outgoing: OutgoingBody = new OutgoingBody()
  /** Bytes that the client may receive on this stream. */
  sendWindow: number
  /** Bytes that the client may still send, and those that were consumed since the last WINDOW_UPDATE. */
  receiveWindow: number
  consumedBytes = 0
  /** Bytes of the body that have arrived. */
  arrivedBytes = 0
  /** The client has ended its side. */
  requestComplete: boolean
  /** The end of the response was passed to the transport, or the stream was reset. */
  closed = false
  /** The request waits for its turn. */
  isReady = false
  /** The host knows the request. */
  begun = false
  /** When the stream last made progress, on the engine's clock. */
  progressAt = 0
  /** The last part of the response is in `outgoing`. */
  lastPart = false
  trailerLines = ''
  /** Whether resources may be pushed along with this response, and how. */
  pushes = true
  pushPolicy: 'default' | 'head' = 'default'

  #state: number = WAITING
  #listener: ResponseListener | null = null
  #done: (() => void) | null = null
  #gone: (() => void) | Set<() => void> | null = null
  #http11Required = false
  #image: Http2Image | null = null
  readonly #endsWithHead: boolean
  #incoming: IncomingBody | null = null

  constructor(connection: Http2Connection, id: number, request: StreamRequest, pushedOn = 0) {
    this.connection = connection
    this.id = id
    this.pushedOn = pushedOn
    this.requestLine = request.requestLine
    this.method = request.method
    this.target = request.target
    this.uri = request.uri
    this.fields = request.fields
    this.expectContinue = request.fields.get('expect')?.toLowerCase() === '100-continue'
    this.hostname = request.hostname
    this.hostPort = request.hostPort
    this.refusal = request.refusal
    this.contentLength = request.contentLength
    this.hasBody = request.hasBody && request.tunnel === null
    this.tunnel = request.tunnel
    this.#endsWithHead = !request.hasBody
    this.requestComplete = this.#endsWithHead
    this.bytesReceived = request.bytes
    this.receivedAt = request.receivedAt
    this.receivedAtUs = request.receivedAtUs
    this.urgency = request.priority.urgency
    this.incremental = request.priority.incremental
    if (request.priority !== UNSTATED) connection.output.hasPriorities = true
    this.bodyLimit = connection.settings.bodyLimit
    this.sendWindow = connection.peer.initialWindowSize
    this.receiveWindow = connection.initialReceiveWindow
  }

  /** For the connection: the body of the request. Most requests have none, and nobody asks for it. */
  get incoming(): IncomingBody {
    return this.#incoming ?? this.#beginBody()
  }

  #beginBody(): IncomingBody {
    const body = new IncomingBody({
      consumed: (count) => this.connection.consumed(this, count),
      waits: () => this.connection.bodyWaits(this),
    })
    this.#incoming = body
    // The end makes the connection look at this body.
    if (this.#endsWithHead) body.end()
    return body
  }

  get persistencePossible(): boolean {
    return true
  }

  get persistent(): boolean {
    return !this.connection.departure.hasBegun
  }

  get requestEnded(): boolean {
    return !this.hasBody || this.incoming.ended
  }

  get answered(): boolean {
    return this.#state === ANSWERED
  }

  get takesTrailers(): boolean {
    return this.fields.get('te')?.toLowerCase() === 'trailers'
  }

  get protocolSwitch(): null {
    return null
  }

  get images(): ResponseImages | null {
    return this.tunnel !== null || this.#http11Required ? null : this
  }

  makeImage(head: ResponseHead, body: Buffer): WireImage {
    const image = new Http2Image(head, body)
    this.#image = image
    return image
  }

  imageBytes(image: WireImage): Buffer | null {
    if (!(image instanceof Http2Image)) return null
    this.#image = image
    return image.bytes
  }

  sendImage(bytes: Buffer, listener: ResponseListener | null): void {
    const image = this.#image
    this.#image = null
    if (image?.bytes !== bytes) throw new Error('the image is not that of this exchange')
    this.#begin(STREAMING)
    this.#listener = listener
    if (this.aborted) return this.#end()
    this.lastPart = true
    this.connection.heads.sendImage(this, image)
  }

  readBody(consumer: BodyConsumer, asks: BodyRequest = 'at-once'): void {
    if (this.refusal !== null || this.requestEnded) return consumer.onEnd()
    this.incoming.read(consumer, asks)
  }

  resumeBody(): void {
    this.incoming.resume()
  }

  refuseBody(reason: Refusal): void {
    this.incoming.fail(reason)
  }

  /** The next request needs no part of the body read: like httpd, the server leaves it to the end of the stream. */
  discardBody(_limit: number, done: (refusal: Refusal | null) => void): void {
    if (!this.requestEnded && this.tunnel === null) this.incoming.abandon()
    done(null)
  }

  interim(status: number, reason: string, fields: string): boolean {
    void reason
    if (this.#state !== WAITING || this.aborted) return false
    this.connection.heads.send(this, status, fields, '', 'open')
    return true
  }

  beginTunnel(opening: string, client: BodyConsumer): boolean {
    const isAccepted = this.connection.heads.sendTunnel(this, opening)
    if (!isAccepted) return false
    this.#begin(STREAMING)
    this.incoming.read(client, 'at-once')
    return true
  }

  respond(head: ResponseHead, body: Buffer | string | null, listener: ResponseListener | null): void {
    const content = body === null || body.length === 0 ? null : typeof body === 'string' ? wireBytes(body) : body
    this.#beginResponse()
    this.#listener = listener
    if (this.aborted) return this.#end()
    this.lastPart = true
    if (content === null) {
      this.connection.heads.send(this, head.status, head.fields, head.contentFields, 'end')
      return
    }
    this.connection.heads.send(this, head.status, head.fields, head.contentFields, content)
  }

  begin(head: ResponseHead): void {
    this.#beginResponse()
    if (this.aborted) return
    this.connection.heads.send(this, head.status, head.fields, head.contentFields, 'open')
  }

  write(chunk: Buffer | string): boolean {
    if (this.#state !== STREAMING) throw new Error('write without begin')
    if (chunk.length === 0 || this.aborted) return true
    this.outgoing.push(typeof chunk === 'string' ? wireBytes(chunk) : chunk)
    this.connection.wantsToSend(this)
    return this.outgoing.length <= WAITING_MAX
  }

  finish(trailers: string, listener: ResponseListener | null): void {
    if (this.#state !== STREAMING) throw new Error('finish without begin')
    this.#listener = listener
    if (this.aborted) return this.#end()
    this.lastPart = true
    if (trailers !== '' && this.takesTrailers) this.trailerLines = trailers
    this.connection.wantsToSend(this)
  }

  sendFile(head: ResponseHead, parts: readonly FilePart[], done: FileSent): void {
    this.#beginResponse()
    const reading = new FileReading(this, parts, done)
    this.#done = () => reading.sent()
    if (!this.aborted) this.connection.heads.send(this, head.status, head.fields, head.contentFields, 'open')
    reading.start()
  }

  breakOff(): void {
    if (this.#state === ANSWERED) return
    this.#state = ANSWERED
    this.#gone = null
    this.connection.reset(this, ERROR.internal)
    this.connection.answered(this)
  }

  whenGone(listener: () => void): () => void {
    if (this.aborted) {
      listener()
      return NOTHING
    }
    const known = this.#gone
    if (known === null) this.#gone = listener
    else if (known instanceof Set) known.add(listener)
    else this.#gone = new Set([known, listener])
    return () => this.#forget(listener)
  }

  ownField(_name: string): null {
    return null
  }

  /** The client has to ask again with HTTP/1.1: the response is replaced by a reset of the stream. */
  requireHttp11(): void {
    this.#http11Required = true
  }

  /** For the connection: everything that waited was framed, or half of it if the writer has paused. */
  drained(): void {
    if (this.outgoing.length <= WAITING_MAX / 2) this.onDrain?.()
  }

  /** For the connection: the last byte of the response was framed. */
  complete(): void {
    this.#end()
  }

  /** For the connection: the stream was reset, or the connection has closed. */
  abort(): void {
    if (this.aborted) return
    this.aborted = true
    this.outgoing.clear()
    this.#incoming?.abandon()
    const listeners = this.#gone
    this.#gone = null
    if (this.#state !== ANSWERED) {
      if (listeners instanceof Set) for (const listener of listeners) listener()
      else listeners?.()
      // A response that only waited for its client ends here; any other one when its source finds out.
      if (this.lastPart) this.#end()
      else this.onDrain?.()
    }
  }

  #forget(listener: () => void): void {
    if (this.#gone instanceof Set) this.#gone.delete(listener)
    else if (this.#gone === listener) this.#gone = null
  }

  #end(): void {
    if (this.#state === ANSWERED) return
    this.#state = ANSWERED
    this.#gone = null
    const listener = this.#listener
    const done = this.#done
    this.#listener = null
    this.#done = null
    listener?.responseSent()
    done?.()
    this.connection.answered(this)
  }

  /** Begins a response, or resets the stream if the client has to ask again with HTTP/1.1. */
  #beginResponse(): void {
    this.#begin(STREAMING)
    if (this.#http11Required && !this.aborted) this.connection.reset(this, ERROR.http11Required)
  }

  #begin(state: number): void {
    if (this.#state !== WAITING) throw new Error('the request was answered before')
    this.#state = state
  }
}

const NOTHING = (): void => {}
