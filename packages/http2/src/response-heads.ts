import { exceedsBlock } from './block-bound.ts'
import { ByteWriter } from './byte-writer.ts'
import type { Http2Connection } from './connection.ts'
import { ERROR } from './error-codes.ts'
import type { Http2Exchange } from './exchange.ts'
import { FLAG } from './frames.ts'
import { writeHeadBlock } from './head-block.ts'
import type { Http2Image } from './http2-image.ts'
import { namesLinks } from './pushes.ts'
import { connectHead, type TunnelKind, tunnelHead } from './tunnel-head.ts'

/** What error log lines call the request. */
const OPENED_BY: Readonly<Record<TunnelKind, string>> = { websocket: 'websocket CONNECT', connect: 'CONNECT' }

/** What follows a head: nothing, a whole body, or anything later. */
type Next = 'end' | Buffer | 'open'

/** Sends the heads of the responses of a connection. */
export class ResponseHeads {
  readonly #connection: Http2Connection

  constructor(connection: Http2Connection) {
    this.#connection = connection
  }

  /**
   * Sends the head of a response.
   * @param fields as lines
   * @param next what follows: nothing, a whole body, or anything later
   */
  send(exchange: Http2Exchange, status: number, fields: string, contentFields: string, next: Next): void {
    if (exchange.closed) return
    if (exchange.tunnel !== null && status >= 200 && status < 300) {
      this.#connection.report('warn', '', `${OPENED_BY[exchange.tunnel]}, got response ${status} instead of a tunnel`)
      return this.#refuseTunnel(exchange)
    }
    this.#send(exchange, status, fields, contentFields, next)
  }

  #send(exchange: Http2Exchange, status: number, fields: string, contentFields: string, next: Next): void {
    if (exceedsBlock(this.#connection.rules.maxHeaderBlock, status, fields, contentFields))
      return this.#connection.reset(exchange, ERROR.protocol)
    const { output, pushes, engine } = this.#connection
    // A promise precedes the head; the table of the client follows this order.
    const isAccompanied = pushes.forResponse(exchange, status, fields)
    const policy = isAccompanied ? `Push-Policy: ${exchange.pushPolicy}\r\n` : ''
    const block = this.#headBlock(status, fields + policy, contentFields)
    exchange.bytesSent += output.writeHead(exchange.id, block.bytes, next === 'end' ? FLAG.endStream : 0)
    exchange.progressAt = engine.now
    output.schedule()
    this.#continue(exchange, next)
  }

  #continue(exchange: Http2Exchange, next: Next): void {
    if (next === 'end') return exchange.complete()
    if (next === 'open') return
    const { output } = this.#connection
    if (output.writeWhole(exchange, next)) return
    exchange.outgoing.push(next)
    output.wantsToSend(exchange)
  }

  /** Sends a complete small response: with its prepared frames, if nothing else is in the way. */
  sendImage(exchange: Http2Exchange, image: Http2Image): void {
    if (exchange.closed) return
    const { output, rules, engine } = this.#connection
    const { status, fields, contentFields, block, body } = image
    const next = body.length === 0 ? 'end' : body
    if (output.encoder.mustResize || namesLinks(fields) || exceedsBlock(rules.maxHeaderBlock, status, fields, contentFields)) {
      return this.#send(exchange, status, fields, contentFields, next)
    }
    exchange.progressAt = engine.now
    if (output.writeImage(exchange, image)) return
    exchange.bytesSent += output.writeHead(exchange.id, block, next === 'end' ? FLAG.endStream : 0)
    output.schedule()
    this.#continue(exchange, next)
  }

  readonly #block: ByteWriter = new ByteWriter(512)

  #headBlock(status: number, fields: string, contentFields: string): ByteWriter {
    this.#block.clear()
    writeHeadBlock(this.#block, this.#connection.output.encoder, status, fields, contentFields)
    return this.#block
  }

  /**
   * Accepts a CONNECT with the head of a response of HTTP/1.1.
   * @returns false if the stream has none
   * @throws Error if the head does not accept it; the client has received 502 then
   */
  sendTunnel(exchange: Http2Exchange, opening: string): boolean {
    const { tunnel, fields } = exchange
    if (tunnel === null) return false
    const head = tunnel === 'connect' ? connectHead(opening) : tunnelHead(opening, fields.get('sec-websocket-key') ?? '')
    if (typeof head !== 'string') {
      this.#connection.report('warn', head.code, `${OPENED_BY[tunnel]}, ${head.fault}`)
      this.#refuseTunnel(exchange)
      throw new Error(head.fault)
    }
    this.#send(exchange, 200, head, '', 'open')
    return true
  }

  /** Responds to a CONNECT that no tunnel follows: a response of success would begin one. */
  #refuseTunnel(exchange: Http2Exchange): void {
    const block = this.#headBlock(502, 'Content-Length: 0\r\n', '')
    this.#connection.output.writeHead(exchange.id, block.bytes, FLAG.endStream)
    this.#connection.reset(exchange, ERROR.none)
  }
}
