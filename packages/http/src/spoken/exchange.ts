import { close, read } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import type { BodyConsumer } from '../body-consumer.ts'
import { isFieldValue, isToken } from '../byte-classes.ts'
import type { Exchange, ResponseImages, ResponseListener } from '../exchange.ts'
import type { FilePart, FileSent } from '../file-part.ts'
import { HeaderFields } from '../header-fields.ts'
import { checkHost } from '../host.ts'
import { HTTP_1_1 } from '../http-version.ts'
import { logLine, type Refusal } from '../refusal.ts'
import { fieldsIn, type ResponseHead } from '../response-head.ts'
import type { ReadTimeLimit } from '../settings.ts'
import type { ProtocolSwitch } from '../successor.ts'
import { type ParsedTarget, parseTarget } from '../target.ts'
import { wireBytes } from '../wire-text.ts'
import type { SpokenConnection } from './connection.ts'

/** A request as another protocol than HTTP has it. Text is latin1. */
export interface SpokenRequest {
  /** The name of the protocol, for logs. */
  readonly protocol: string
  readonly method: string
  /** A path with an optional query. */
  readonly target: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer | null
}

/** The response to such a request. */
export interface SpokenResponse {
  readonly status: number
  readonly reason: string
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Must be read to its end, or destroyed. It fails if the response cannot be completed. */
  readonly body: Readable
}

interface Progress {
  begun(response: SpokenResponse): void
  failed(error: Error): void
  ended(): void
}

const WAITING = 0
const STREAMING = 1
const ANSWERED = 2

/** Bytes of a file that are read at a time. */
const BLOCK = 64 * 1024

/** A request that was made of what a client said in another protocol than HTTP. */
export class SpokenExchange implements Exchange {
  readonly connection: SpokenConnection
  readonly requestLine: string
  readonly method: string
  readonly target: string
  readonly uri: ParsedTarget
  readonly protocol: string
  readonly version: number = HTTP_1_1
  readonly fields: HeaderFields
  readonly hostname: string | null
  readonly hostPort: number
  readonly refusal: Refusal | null
  readonly receivedAt: number = Date.now()
  readonly receivedAtUs: number = performance.now() * 1000
  readonly hasBody: boolean
  readonly contentLength: number
  readonly expectContinue = false
  readonly awaitsContinue = false
  readonly persistencePossible = true
  readonly persistent = true
  readonly isStream = false
  readonly takesTrailers = false
  readonly trailers: HeaderFields | null = null
  readonly bytesReceived: number
  bodyLimit: ReadTimeLimit | null = null
  bytesSent = 0
  aborted = false
  onDrain: (() => void) | null = null
  readonly #progress: Progress
  readonly #body: Readable
  readonly #requestBody: Buffer | null
  #consumer: BodyConsumer | null = null
  #isBodyRead: boolean
  #state: number = WAITING
  readonly #gone = new Set<() => void>()

  /** @throws TypeError if method, target or fields could not stand in a request */
  constructor(connection: SpokenConnection, request: SpokenRequest, progress: Progress) {
    const { method, target, protocol, body } = request
    if (!isToken(method)) throw new TypeError(`no method: ${JSON.stringify(method)}`)
    if (!TARGET.test(target)) throw new TypeError(`no target of a request: ${JSON.stringify(target)}`)
    const list: string[] = []
    for (const [name, value] of request.fields) {
      if (!isToken(name) || !isFieldValue(value)) throw new TypeError(`no field: ${JSON.stringify(`${name}: ${value}`)}`)
      list.push(name, value)
    }
    const { settings } = connection
    this.connection = connection
    this.method = method
    this.target = target
    this.protocol = protocol
    this.requestLine = `${method} ${target} ${protocol}`
    this.uri = parseTarget(target, method)
    this.fields = HeaderFields.of(list)
    const host = checkHost(this.fields, HTTP_1_1, settings.strict)
    this.hostname = host.hostname
    this.hostPort = host.port
    this.refusal = host.refusal ?? this.#judge()
    this.hasBody = body !== null
    this.contentLength = body === null ? -1 : body.length
    this.bytesReceived = body?.length ?? 0
    this.#requestBody = body
    this.#isBodyRead = body === null || body.length === 0
    this.#progress = progress
    this.#body = new Readable({
      highWaterMark: BLOCK,
      read: () => this.onDrain?.(),
      destroy: (error, done) => {
        if (this.#state !== ANSWERED) this.abort()
        done(error)
      },
    })
    // The reader of the body receives the error, too.
    this.#body.on('error', NOTHING)
  }

  get requestEnded(): boolean {
    return this.#isBodyRead
  }

  get answered(): boolean {
    return this.#state === ANSWERED
  }

  get protocolSwitch(): ProtocolSwitch | null {
    return null
  }

  get images(): ResponseImages | null {
    return null
  }

  readBody(consumer: BodyConsumer): void {
    this.#consumer = consumer
    this.resumeBody()
  }

  resumeBody(): void {
    const consumer = this.#consumer
    if (consumer === null) return
    if (!this.#isBodyRead) {
      this.#isBodyRead = true
      if (consumer.onData(this.#requestBody ?? Buffer.alloc(0)) === 'pause') return
    }
    this.#consumer = null
    consumer.onEnd()
  }

  refuseBody(reason: Refusal): void {
    const consumer = this.#consumer
    this.#consumer = null
    this.#isBodyRead = true
    consumer?.onError(reason)
  }

  discardBody(_limit: number, done: (refusal: Refusal | null) => void): void {
    this.#isBodyRead = true
    this.#consumer = null
    done(null)
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
    if (this.#state !== WAITING) throw new Error('the request was answered before')
    this.#state = STREAMING
    if (this.aborted) return
    const fields = fieldsIn(head.fields + head.contentFields)
    this.#progress.begun({ status: head.status, reason: head.reason, fields, body: this.#body })
  }

  write(chunk: Buffer | string): boolean {
    if (this.#state !== STREAMING) throw new Error('write without begin')
    if (chunk.length === 0 || this.aborted) return true
    const bytes = typeof chunk === 'string' ? wireBytes(chunk) : chunk
    this.bytesSent += bytes.length
    return this.#body.push(bytes)
  }

  finish(_trailers: string, listener: ResponseListener | null): void {
    if (this.#state !== STREAMING) throw new Error('finish without begin')
    this.#end()
    if (!this.aborted) this.#body.push(null)
    listener?.responseSent()
  }

  sendFile(head: ResponseHead, parts: readonly FilePart[], done: FileSent): void {
    this.begin(head)
    void this.#sendParts(parts, done)
  }

  breakOff(): void {
    if (this.#state === ANSWERED) return
    const error = new Error('the response could not be completed')
    this.#end()
    this.#progress.failed(error)
    this.#body.destroy(error)
  }

  whenGone(listener: () => void): () => void {
    if (this.aborted) listener()
    else this.#gone.add(listener)
    return () => void this.#gone.delete(listener)
  }

  ownField(): null {
    return null
  }

  /** The connection has closed, or nobody reads the response. */
  abort(): void {
    if (this.aborted || this.#state === ANSWERED) return
    this.aborted = true
    const error = new Error('the connection has closed')
    this.#progress.failed(error)
    this.#body.destroy(error)
    this.refuseBody({ status: 400, note: '', log: null, silent: true })
    for (const listener of [...this.#gone]) listener()
    this.#gone.clear()
    this.onDrain?.()
  }

  #judge(): Refusal | null {
    const { limitRequestLine, methods } = this.connection.settings
    if (this.target.length > limitRequestLine) return refused(414, 'AH00565', 'the target exceeds LimitRequestLine')
    if (this.uri.error !== '') return refused(400, 'AH03450', `Unable to parse URI: '${this.target}'`)
    if (methods?.has(this.method) === false) return refused(501, 'AH02423', 'Unrecognized HTTP method')
    return null
  }

  async #sendParts(parts: readonly FilePart[], done: FileSent): Promise<void> {
    let sent = 0
    let failure: Error | null = null
    const send = async (chunk: Buffer | string): Promise<void> => {
      sent += chunk.length
      if (this.write(chunk) || this.aborted) return
      await new Promise<void>((resolve) => {
        this.onDrain = resolve
      })
      this.onDrain = null
    }
    try {
      for (const { fd, start, length, prefix = '', suffix = '', fault } of parts) {
        await send(prefix)
        for (let offset = 0; offset < length && !this.aborted; ) {
          const { bytesRead, buffer } = await readAt(fd, Buffer.allocUnsafe(Math.min(BLOCK, length - offset)), start + offset)
          offset += bytesRead
          const wrong = bytesRead === 0 || offset === length ? (fault?.() ?? null) : null
          if (wrong !== null || bytesRead === 0) throw wrong ?? new Error('a file ended too early')
          await send(buffer.subarray(0, bytesRead))
        }
        await send(suffix)
      }
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error))
    }
    for (const fd of new Set(parts.filter(({ closeFd }) => closeFd).map((part) => part.fd))) close(fd, NOTHING)
    const isComplete = failure === null && !this.aborted
    if (isComplete) this.finish('', null)
    done(isComplete, failure, sent)
    if (!isComplete) this.breakOff()
  }

  #end(): void {
    this.#state = ANSWERED
    this.#gone.clear()
    this.#progress.ended()
  }
}

const NOTHING = (): void => {}
const TARGET = /^(?:\/[\x21-\x7e\x80-\xff]*|\*)$/

async function readAt(fd: number, buffer: Buffer, position: number): Promise<{ bytesRead: number; buffer: Buffer }> {
  return promisify(read)(fd, buffer, 0, buffer.length, position)
}

function refused(status: number, code: string, text: string): Refusal {
  return { status, note: '', log: logLine(code, text), silent: false }
}
