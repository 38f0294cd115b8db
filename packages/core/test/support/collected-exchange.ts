import { closeSync, readSync } from 'node:fs'
import {
  type BodyConsumer,
  type ClientConnection,
  type Exchange,
  type FilePart,
  type FileSent,
  fieldsIn,
  HeaderFields,
  type ParsedTarget,
  parseTarget,
  type ResponseHead,
  type ResponseListener,
  wireBytes,
} from '@gatewright/http'

export interface SentRequest {
  readonly method?: string
  readonly target: string
  readonly fields?: Readonly<Record<string, string>>
  readonly takesTrailers?: boolean
  /** The number of chunks that the client takes before it asks the server to wait; absent: any number. */
  readonly chunksBeforeWaiting?: number
}

/** A client of no protocol: there are no bytes and no text of a head. */
class Client implements ClientConnection {
  readonly remoteAddress = '192.0.2.7'
  readonly remotePort = 50_000
  readonly localAddress = '127.0.0.1'
  readonly localPort = 80
  data: unknown = null
  preface = null
  closed = false
  readonly hasUnusedInput = false

  observe(): void {}

  destroy(): void {
    this.closed = true
  }
}

/** An exchange that keeps the response as values: a protocol of its own, which has no text. */
export class CollectedExchange implements Exchange {
  readonly connection: Client = new Client()
  readonly requestLine: string
  readonly method: string
  readonly target: string
  readonly uri: ParsedTarget
  readonly protocol = 'TEST/2'
  readonly version = 2000
  readonly fields: HeaderFields = new HeaderFields()
  readonly hostname = 'localhost'
  readonly hostPort = 0
  readonly refusal = null
  readonly receivedAt: number = Date.now()
  readonly receivedAtUs: number = performance.now() * 1000
  readonly bytesReceived = 0
  readonly hasBody = false
  readonly contentLength = -1
  bodyLimit = null
  readonly expectContinue = false
  readonly awaitsContinue = false
  readonly persistencePossible = true
  readonly requestEnded = true
  readonly trailers = null
  readonly takesTrailers: boolean
  readonly persistent = true
  readonly isStream = false
  readonly protocolSwitch = null
  readonly images = null
  onDrain: (() => void) | null = null
  aborted = false
  answered = false
  brokenOff = false
  /** What the client has received. */
  status = 0
  reason = ''
  readonly responseFields: Map<string, string> = new Map()
  readonly sentTrailers: (readonly [string, string])[] = []
  readonly ended: Promise<void>
  readonly #chunks: Buffer[] = []
  readonly #gone = new Set<() => void>()
  #room: number
  #end: () => void = () => undefined

  constructor({ method = 'GET', target, fields = {}, takesTrailers = false, chunksBeforeWaiting }: SentRequest) {
    this.method = method
    this.target = target
    this.uri = parseTarget(target, method)
    this.requestLine = `${method} ${target} ${this.protocol}`
    for (const [name, value] of Object.entries({ Host: 'localhost', ...fields })) this.fields.set(name, value)
    this.takesTrailers = takesTrailers
    this.#room = chunksBeforeWaiting ?? Number.POSITIVE_INFINITY
    this.ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  get bytesSent(): number {
    return this.body.length
  }

  get body(): string {
    return Buffer.concat(this.#chunks).toString('latin1')
  }

  interim(): boolean {
    return false
  }

  beginTunnel(): boolean {
    return false
  }

  respond(head: ResponseHead, body: Buffer | string | null, listener: ResponseListener | null): void {
    this.begin(head)
    if (body !== null) this.write(body)
    this.finish('', listener)
  }

  begin(head: ResponseHead): void {
    if (this.status !== 0) throw new Error('the request was answered before')
    this.status = head.status
    this.reason = head.reason
    for (const [name, value] of fieldsIn(head.fields + head.contentFields)) this.responseFields.set(name, value)
  }

  write(chunk: Buffer | string): boolean {
    if (!this.aborted) this.#chunks.push(typeof chunk === 'string' ? wireBytes(chunk) : Buffer.from(chunk))
    this.#room--
    return this.#room > 0
  }

  finish(trailers: string, listener: ResponseListener | null): void {
    this.sentTrailers.push(...fieldsIn(trailers))
    this.#over()
    listener?.responseSent()
  }

  sendFile(head: ResponseHead, parts: readonly FilePart[], done: FileSent): void {
    this.begin(head)
    for (const { fd, start, length, prefix = '', suffix = '' } of parts) {
      const bytes = Buffer.alloc(length)
      readSync(fd, bytes, 0, length, start)
      for (const piece of [prefix, bytes, suffix]) this.write(piece)
    }
    for (const { fd, closeFd } of parts) if (closeFd) closeSync(fd)
    this.#over()
    done(true, null, this.body.length)
  }

  breakOff(): void {
    this.brokenOff = true
    this.#end()
  }

  whenGone(listener: () => void): () => void {
    this.#gone.add(listener)
    return () => void this.#gone.delete(listener)
  }

  ownField(): string | null {
    return null
  }

  readBody(consumer: BodyConsumer): void {
    consumer.onEnd()
  }

  resumeBody(): void {}

  refuseBody(): void {}

  discardBody(_limit: number, done: (refusal: null) => void): void {
    done(null)
  }

  /** The client disconnects. */
  leave(): void {
    this.aborted = true
    for (const listener of this.#gone) listener()
  }

  #over(): void {
    this.answered = true
    this.#end()
  }
}
