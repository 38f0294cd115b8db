import type { Http2Connection } from './connection.ts'
import { ConnectionError, ERROR } from './error-codes.ts'
import type { Http2Exchange } from './exchange.ts'
import type { FrameSink } from './frame-reader.ts'
import {
  checkGoaway,
  checkIncrement,
  checkPing,
  checkRstStream,
  isAcknowledgement,
  openedWindow,
  protocolError,
  windowIncrement,
} from './frame-rules.ts'
import { FLAG, FRAME, LARGEST } from './frames.ts'
import { HpackDecoder } from './hpack/decoder.ts'
import { contentEnd, dataStart, fragmentStart, OpenBlock } from './open-block.ts'
import { parsePriority } from './priority.ts'
import { RequestHead } from './request-head.ts'
import { streamRequest } from './stream-request.ts'

/** Does what each frame of a client demands (RFC 9113 section 6), with the verdicts of nghttp2 where the RFC leaves a choice. */
export class FrameHandler implements FrameSink {
  readonly #connection: Http2Connection
  readonly #decoder = new HpackDecoder()
  #block: OpenBlock | null = null
  /** Streams whose client ignored flow control. */
  #flowErrors = 0
  /** The client has acknowledged the settings. */
  #acknowledged = false

  constructor(connection: Http2Connection) {
    this.#connection = connection
  }

  get isReadingHead(): boolean {
    return this.#block !== null
  }

  onFrame(type: number, flags: number, stream: number, bytes: Buffer, start: number, end: number): void {
    if (this.#block !== null && (type !== FRAME.continuation || stream !== this.#block.stream)) {
      throw protocolError('unexpected frame: expected CONTINUATION')
    }
    switch (type) {
      case FRAME.data:
        return this.#data(flags, stream, bytes, start, end)
      case FRAME.headers:
        return this.#headers(flags, stream, bytes, start, end)
      case FRAME.continuation:
        return this.#continuation(flags, bytes, start, end)
      case FRAME.priority:
        return this.#priority(stream, bytes, start, end)
      case FRAME.rstStream:
        return this.#rstStream(stream, end - start)
      case FRAME.settings:
        return this.#settings(flags, stream, bytes, start, end)
      case FRAME.pushPromise:
        throw protocolError('PUSH_PROMISE: a client must not push')
      case FRAME.ping:
        return this.#ping(flags, stream, bytes, start, end)
      case FRAME.goaway:
        return this.#goaway(stream, end - start)
      case FRAME.windowUpdate:
        return this.#windowUpdate(stream, bytes, start, end)
      case FRAME.priorityUpdate:
        return this.#priorityUpdate(stream, bytes, start, end)
      default:
        this.#count()
    }
  }

  #count(): void {
    this.#connection.budgets.frame(this.#connection.engine.now)
  }

  #data(flags: number, stream: number, bytes: Buffer, start: number, end: number): void {
    const connection = this.#connection
    this.#expectStream(stream, 'DATA')
    const length = end - start
    if (length > connection.receiveWindow) throw new ConnectionError(ERROR.flowControl, 'DATA: the window of the connection')
    connection.receiveWindow -= length
    const exchange = connection.streams.get(stream)
    if (exchange?.requestComplete === true) throw new ConnectionError(ERROR.streamClosed, 'DATA: stream in half-closed(remote)')
    if (exchange === undefined) {
      // A stream that has ended: the bytes count for the connection alone.
      this.#count()
      connection.consumedOfNone(length)
      return
    }
    const to = contentEnd(flags, bytes, start, end)
    const from = dataStart(flags, start)
    if (length > exchange.receiveWindow) {
      connection.consumedOfNone(length)
      return this.#ignoresWindow(exchange)
    }
    const endsStream = (flags & FLAG.endStream) !== 0
    if (to === from && !endsStream) this.#count()
    exchange.receiveWindow -= length
    exchange.bytesReceived += length + 9
    exchange.arrivedBytes += to - from
    connection.lifetime.moved(to - from)
    const { contentLength, arrivedBytes } = exchange
    if (contentLength >= 0 && (arrivedBytes > contentLength || (endsStream && arrivedBytes < contentLength))) {
      connection.consumedOfNone(length)
      return this.#refuse(exchange, ERROR.protocol)
    }
    if (endsStream) exchange.requestComplete = true
    // Padding is consumed at once.
    if (length > to - from) connection.consumed(exchange, length - (to - from))
    if (to > from) exchange.incoming.push(bytes, from, to)
    if (endsStream) exchange.incoming.end()
  }

  #headers(flags: number, stream: number, bytes: Buffer, start: number, end: number): void {
    if (stream === 0) throw protocolError('request HEADERS: stream_id == 0')
    const to = contentEnd(flags, bytes, start, end)
    const from = fragmentStart(flags, start, to)
    if (stream % 2 === 0) throw protocolError('request HEADERS: invalid stream_id')
    const endsStream = (flags & FLAG.endStream) !== 0
    if ((flags & FLAG.endHeaders) !== 0) return this.#blockComplete(stream, endsStream, bytes, from, to)
    this.#block = new OpenBlock(stream, endsStream, bytes.subarray(from, to))
  }

  #continuation(flags: number, bytes: Buffer, start: number, end: number): void {
    const block = this.#block
    if (block === null) throw protocolError('CONTINUATION: unexpected')
    block.add(bytes.subarray(start, end))
    if ((flags & FLAG.endHeaders) === 0) return
    this.#block = null
    const whole = block.join()
    this.#blockComplete(block.stream, block.endsStream, whole, 0, whole.length)
  }

  #blockComplete(stream: number, endsStream: boolean, bytes: Buffer, start: number, end: number): void {
    const connection = this.#connection
    const { streams } = connection
    const known = streams.get(stream)
    const isNew = stream > streams.last
    const head = new RequestHead(isNew ? 'request' : 'trailers', connection.settings)
    if (known?.requestComplete === true) throw new ConnectionError(ERROR.streamClosed, 'HEADERS: stream in half-closed(remote)')
    if (isNew && !connection.departure.ignoresStreams && streams.ofClient >= connection.rules.maxStreams && this.#acknowledged) {
      throw protocolError('request HEADERS: max concurrent streams exceeded')
    }
    if (!this.#decoder.decode(bytes, start, end, head)) {
      throw new ConnectionError(ERROR.compression, 'HEADERS: could not decode header block')
    }
    // Decoding costs this side far more than the block costs the client.
    if (head.isBomb) connection.budgets.bomb(connection.engine.now)
    if (isNew) {
      if (!connection.departure.ignoresStreams) this.#open(stream, endsStream, head)
    } else if (known !== undefined) this.#trailers(known, endsStream, head)
    else this.#count()
  }

  #open(stream: number, endsStream: boolean, head: RequestHead): void {
    const connection = this.#connection
    const { streams, rules } = connection
    streams.last = stream
    head.finish()
    const isShort = endsStream && head.contentLength > 0
    const isForbidden = head.protocol !== '' && !rules.webSockets
    if (head.isMalformed || isShort || isForbidden) return this.#reset(stream, ERROR.protocol)
    // Before the client knows how many streams it may open.
    if (streams.ofClient >= rules.maxStreams) return this.#reset(stream, ERROR.refusedStream)
    // Floods of large blocks end the connection, with one line.
    if (head.excess !== null && !head.isBomb) {
      const { code, text } = head.excess
      connection.report('info', code, `h2_stream(${connection.tagOf(stream)},IDLE): ${text}`)
    }
    if (head.isDropped) return this.#reset(stream, ERROR.internal)
    connection.open(stream, streamRequest(head, endsStream, connection.settings, connection.engine, rules.proxyRequests))
  }

  #trailers(exchange: Http2Exchange, endsStream: boolean, head: RequestHead): void {
    head.finish()
    const { contentLength, arrivedBytes } = exchange
    const isRepeated = contentLength >= 0 && head.contentLength >= 0
    const stated = contentLength >= 0 ? contentLength : head.contentLength
    const isShort = isRepeated || (stated >= 0 && arrivedBytes !== stated)
    if (!endsStream || head.isMalformed || isShort) return this.#refuse(exchange, ERROR.protocol)
    exchange.trailers = head.fields()
    exchange.bytesReceived += head.bytes
    exchange.requestComplete = true
    exchange.incoming.end()
  }

  /** Ends a stream because of what its client sent. */
  #refuse(exchange: Http2Exchange, code: number): void {
    const { budgets, engine } = this.#connection
    budgets.reset(engine.now)
    this.#connection.reset(exchange, code)
  }

  /** Ends a stream whose client ignored flow control, and the connection after too many of them (H2MaxStreamErrors). */
  #ignoresWindow(exchange: Http2Exchange): void {
    this.#refuse(exchange, ERROR.flowControl)
    const { maxStreamErrors } = this.#connection.rules
    this.#flowErrors++
    if (maxStreamErrors > 0 && this.#flowErrors > maxStreamErrors) {
      throw new ConnectionError(ERROR.protocol, 'too many streams ignored flow control', true)
    }
  }

  /** Ends a stream that was never open. */
  #reset(stream: number, code: number): void {
    const { budgets, engine, output } = this.#connection
    budgets.reset(engine.now)
    output.writeReset(stream, code)
  }

  #priority(stream: number, _bytes: Buffer, start: number, end: number): void {
    if (end - start !== 5) throw new ConnectionError(ERROR.frameSize, 'PRIORITY: wrong length')
    if (stream === 0) throw protocolError('PRIORITY: stream_id == 0')
    // The tree of priorities was given up (RFC 9113 section 5.3.2).
    this.#count()
  }

  #rstStream(stream: number, length: number): void {
    checkRstStream(length)
    this.#expectStream(stream, 'RST_STREAM')
    const { budgets, engine, output, streams } = this.#connection
    const exchange = streams.get(stream)
    if (exchange === undefined) return this.#count()
    output.forget(exchange)
    streams.remove(exchange)
    exchange.abort()
    this.#connection.streamGone()
    budgets.reset(engine.now)
  }

  #settings(flags: number, stream: number, bytes: Buffer, start: number, end: number): void {
    if (isAcknowledgement(flags, stream, end - start)) {
      if (this.#acknowledged) throw protocolError('SETTINGS: unexpected ACK')
      this.#acknowledged = true
      return
    }
    this.#count()
    this.takeSettings(bytes, start, end)
    this.#connection.output.frames.frame(0, FRAME.settings, FLAG.ack, 0)
    this.#connection.output.schedule()
  }

  /** Takes over settings, those of a frame or of the field HTTP2-Settings. @throws ConnectionError */
  takeSettings(bytes: Buffer, start: number, end: number): void {
    const { peer, output } = this.#connection
    const before = peer.initialWindowSize
    for (let at = start; at + 6 <= end; at += 6) peer.set(bytes.readUInt16BE(at), bytes.readUInt32BE(at + 2))
    output.encoder.limit(peer.headerTableSize)
    this.#connection.windowsGrow(peer.initialWindowSize - before)
  }

  #ping(flags: number, stream: number, bytes: Buffer, start: number, end: number): void {
    checkPing(stream, end - start)
    if ((flags & FLAG.ack) !== 0) return this.#connection.departure.pingAcknowledged()
    this.#count()
    const { output } = this.#connection
    output.frames.frame(8, FRAME.ping, FLAG.ack, 0)
    output.frames.chunk(bytes, start, end)
    output.schedule()
  }

  #goaway(stream: number, length: number): void {
    checkGoaway(stream, length)
    this.#connection.departure.clientLeaves()
  }

  #windowUpdate(stream: number, bytes: Buffer, start: number, end: number): void {
    const count = windowIncrement(bytes, start, end)
    const connection = this.#connection
    this.#count()
    if (stream !== 0) this.#expectStream(stream, 'WINDOW_UPDATE')
    const exchange = connection.streams.get(stream)
    if (stream !== 0 && exchange === undefined) return
    if (exchange === undefined) {
      connection.output.window = openedWindow(connection.output.window, count)
      return
    }
    checkIncrement(count)
    if (exchange.sendWindow + count > LARGEST) return this.#ignoresWindow(exchange)
    exchange.sendWindow += count
    if (exchange.outgoing.length > 0 && exchange.sendWindow > 0) connection.output.wantsToSend(exchange)
  }

  #priorityUpdate(stream: number, bytes: Buffer, start: number, end: number): void {
    if (stream !== 0) throw protocolError('PRIORITY_UPDATE: stream_id != 0')
    if (end - start < 4) throw new ConnectionError(ERROR.frameSize, 'PRIORITY_UPDATE: wrong length')
    const target = bytes.readUInt32BE(start) & LARGEST
    if (target === 0) throw protocolError('PRIORITY_UPDATE: prioritized stream_id == 0')
    this.#count()
    const { output, streams } = this.#connection
    const exchange = streams.get(target)
    if (exchange === undefined) return
    const { urgency, incremental } = parsePriority(bytes.toString('latin1', start + 4, end))
    output.reprioritize(exchange, urgency, incremental)
  }

  /** A frame of a stream that was never opened is an error. */
  #expectStream(stream: number, name: string): void {
    if (stream === 0) throw protocolError(`${name}: stream_id == 0`)
    const { streams, pushes } = this.#connection
    const isIdle = stream % 2 === 0 ? stream > pushes.last : stream > streams.last
    if (isIdle) throw protocolError(`${name}: stream in idle`)
  }
}
