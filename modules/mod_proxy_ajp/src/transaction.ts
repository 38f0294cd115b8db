import {
  HTTP_BAD_REQUEST,
  HTTP_INTERNAL_SERVER_ERROR,
  HTTP_SERVICE_UNAVAILABLE,
  isBodyRefused,
  type ModuleLog,
  OK,
  type Outcome,
  type ProxyPassing,
  ResponseCut,
} from '@gatewright/api'
import {
  PlainExchange,
  type PlainListener,
  ResponseStream,
  type UpstreamConnection,
  type UpstreamError,
} from '@gatewright/upstream'
import { INCOMPLETE, OVERFLOW, PacketFault, TIMED_OUT } from './faults.ts'
import { lost, report } from './link.ts'
import { BODY_OVERHEAD, bodyPacket } from './message-writer.ts'
import { PacketReader } from './packet-reader.ts'
import { RequestBody } from './request-body.ts'
import { overridden, takeHead } from './response.ts'
import { PACKET, readBodyChunk, readHead, readReuse } from './response-packet.ts'

/** The request to send, and how. */
export interface TransactionParts {
  readonly connection: UpstreamConnection
  /** Whether other requests may use the connection. */
  readonly keepsConnection: boolean
  /** The packet that begins the request. */
  readonly packet: Buffer
  /** The longest packet. */
  readonly size: number
  /** Of the back end, for messages. */
  readonly address: string
  readonly log: ModuleLog
}

/** Methods that may be repeated with another back end, without a query. */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'])
/** Requests for parts of the body that may wait. A back end sends the next one when it has received a part. */
const MOST_WAITING = 16
/** Bytes that a back end may leave unread while it asks for more. */
const MOST_UNSENT = 1024 * 1024

/** One request to a back end and its response, which is left in the client's request. */
export class Transaction implements PlainListener {
  readonly #passing: ProxyPassing
  readonly #parts: TransactionParts
  readonly #exchange: PlainExchange
  readonly #packets: PacketReader
  readonly #body: RequestBody
  #settle: (outcome: Outcome | Promise<Outcome>) => void = () => {}
  #isSettled = false
  #stream: ResponseStream | null = null
  #hasHead = false
  /** The outcome of a response whose body is not relayed. */
  #atEnd: (() => Outcome) | null = null
  /** The outcome of such a response of which a part of the body has come: an error after it changes nothing. */
  #inBody: (() => Outcome) | null = null
  #isOverridden = false
  #isFirst = true
  /** Parts of the body that the back end waits for. */
  #wanted = 0
  #isSending = false
  #hasSentBody = false

  constructor(passing: ProxyPassing, parts: TransactionParts) {
    const { worker, settings, request } = passing
    this.#passing = passing
    this.#parts = parts
    this.#packets = new PacketReader(parts.size)
    this.#body = new RequestBody(request, parts.size - BODY_OVERHEAD)
    this.#exchange = new PlainExchange(parts.connection, worker.parameters.timeout ?? settings.timeout, this)
  }

  run(): Promise<Outcome> {
    const { request } = this.#passing
    const exchange = this.#exchange
    return new Promise((resolve) => {
      this.#settle = resolve
      request.onDone(() => this.#passing.count(exchange.bytesSent, exchange.bytesReceived))
      request.whenGone(() => {
        exchange.abort()
        this.#finish(OK)
      })
      exchange.write(this.#parts.packet)
      exchange.endRequest()
      // The back end expects the first part of a body with a length; it asks for all others.
      if (Number(request.headersIn.get('Content-Length') ?? '0') > 0) this.#sendPart()
    })
  }

  onData(bytes: Buffer): void {
    this.#packets.add(bytes)
    try {
      for (;;) {
        if (this.#exchange.isDone) return
        const content = this.#nextPacket()
        if (content === null) return this.#packets.keep()
        this.#isFirst = false
        this.#take(content)
      }
    } catch (error) {
      if (error instanceof PacketFault) return this.#fail(error)
      // What a back end sends must not end the process: the request fails, and the error is logged with it.
      this.#exchange.abort()
      this.#stream?.fail(new ResponseCut('the response cannot be relayed'))
      if (!this.#isSettled) this.#finish(Promise.reject(error))
    }
  }

  onEnd(): void {
    this.#fail(unread(lost(this.#packets, null)))
  }

  onError(error: UpstreamError): void {
    this.#fail(unread(lost(this.#packets, error)))
  }

  #nextPacket(): Buffer | null {
    try {
      const content = this.#packets.next()
      if (content?.length !== 0) return content
    } catch (error) {
      throw error instanceof PacketFault ? unread(error) : error
    }
    throw new PacketFault(
      [
        { code: 'AH03229', text: 'ajp_msg_peek_uint8(): BufferOverflowException 4 4', isOfRequest: false },
        { code: 'AH00993', text: 'ajp_read_header: ajp_msg_peek_uint8 failed', isOfRequest: true },
      ],
      OVERFLOW,
    )
  }

  #take(content: Buffer): void {
    switch (content[0]) {
      case PACKET.headers:
        return this.#takeHead(content)
      case PACKET.bodyChunk:
        return this.#takeChunk(readBodyChunk(content))
      case PACKET.getBodyChunk:
        return this.#sendPart()
      case PACKET.endResponse:
        return this.#takeEnd(content)
      default:
        throw unexpected()
    }
  }

  #takeHead(content: Buffer): void {
    if (this.#hasHead || this.#stream !== null) throw unexpected()
    const head = readHead(content)
    const { request, settings } = this.#passing
    report(this.#parts.log, request, head.lines)
    this.#hasHead = true
    if (settings.overrides(head.status)) {
      this.#isOverridden = true
      this.#atEnd = () => overridden(this.#passing, head)
      return
    }
    takeHead(this.#passing, head)
    if (request.headerOnly || head.status === 204 || head.status === 304) this.#atEnd = () => request.respond('')
  }

  /** The first part begins the response: until then, an error can replace it. */
  #takeChunk(chunk: Buffer): void {
    // An empty one asks to send what has arrived, which is not held back here.
    if (chunk.length === 0) return
    if (this.#atEnd !== null) {
      if (!this.#isOverridden) this.#inBody = this.#atEnd
      return
    }
    if (this.#stream === null) {
      this.#stream = new ResponseStream(this.#exchange, -1)
      this.#passing.request.respond(this.#stream)
      this.#finish(OK)
    }
    this.#stream.push(chunk)
  }

  #takeEnd(content: Buffer): void {
    const { connection, keepsConnection, log, address } = this.#parts
    const { request } = this.#passing
    let isReusable = false
    try {
      isReusable = readReuse(content)
    } catch (error) {
      // The response is complete in any case.
      if (!(error instanceof PacketFault)) throw error
      report(log, request, error.lines)
      log.write(request, 'error', 'AH00893', `dialog to ${address} failed`, error.cause)
    }
    this.#exchange.complete()
    // What follows the end would be read as a part of the response to another request, and so would the rest of a body.
    if (isReusable && keepsConnection && this.#packets.isEmpty && !this.#isSending) connection.release()
    else connection.destroy()
    if (this.#stream !== null) return this.#stream.end()
    this.#finish(this.#atEnd === null ? request.respond('') : this.#atEnd())
  }

  #fail(fault: PacketFault): void {
    const { log, address } = this.#parts
    const { request } = this.#passing
    this.#exchange.abort()
    report(log, request, fault.lines)
    if (fault.cause === TIMED_OUT) this.#passing.timedOut()
    const [code, text] = this.#isFirst
      ? ['AH00878', `read response failed from ${address}`]
      : ['AH00893', `dialog to ${address} failed`]
    log.write(request, 'error', code, text, fault.cause)
    if (this.#stream !== null) return this.#stream.fail(new ResponseCut('the back end broke off'))
    if (this.#inBody !== null) return this.#finish(this.#inBody())
    this.#forgetHead()
    // Only what certainly has no effect may be repeated with another back end.
    const isRepeatable = IDEMPOTENT.has(request.method) && request.args === null && !this.#hasSentBody
    this.#finish(isRepeatable ? HTTP_SERVICE_UNAVAILABLE : HTTP_INTERNAL_SERVER_ERROR)
  }

  /** An error replaces the response. */
  #forgetHead(): void {
    const { request } = this.#passing
    request.headersOut.clear()
    request.status = 200
    request.reason = null
    request.contentType = null
  }

  #finish(outcome: Outcome | Promise<Outcome>): void {
    if (this.#isSettled) return
    this.#isSettled = true
    this.#settle(outcome)
  }

  #sendPart(): void {
    this.#wanted++
    if (this.#wanted > MOST_WAITING || this.#parts.connection.unsentBytes > MOST_UNSENT) throw unexpected()
    if (!this.#isSending) void this.#sendParts()
  }

  async #sendParts(): Promise<void> {
    const exchange = this.#exchange
    this.#isSending = true
    try {
      while (this.#wanted > 0 && !exchange.isDone) {
        exchange.waitForClient()
        const part = await this.#body.next()
        if (exchange.isDone) return
        if (part.length > 0) this.#hasSentBody = true
        exchange.write(bodyPacket(part))
        exchange.endRequest()
        this.#wanted--
      }
    } catch (error) {
      this.#bodyFailed(error)
    } finally {
      this.#isSending = false
    }
  }

  #bodyFailed(error: unknown): void {
    if (this.#exchange.isDone) return
    const { request } = this.#passing
    this.#exchange.abort()
    const client = `${request.connection.remoteAddress}:${request.connection.remotePort}`
    this.#parts.log.write(request, 'error', 'AH02822', `dialog with client ${client} failed`, INCOMPLETE)
    this.#stream?.fail(new ResponseCut('the request body broke off'))
    if (this.#isSettled) return
    this.#forgetHead()
    this.#isSettled = true
    this.#settle(isBodyRefused(error) ? Promise.reject(error) : HTTP_BAD_REQUEST)
  }
}

/** A packet that may not be there. httpd has no line for it. */
function unexpected(): PacketFault {
  return new PacketFault([])
}

/** The fault of a packet that cannot be read, with the line of its reader. */
function unread({ lines, cause }: PacketFault): PacketFault {
  return new PacketFault(
    [...lines, { code: 'AH00992', text: 'ajp_read_header: ajp_ilink_receive failed', isOfRequest: true }],
    cause,
  )
}
