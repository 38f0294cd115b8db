import { Input } from '@gatewright/http/messages'
import { Budget } from '../budget.ts'
import { ByteWriter } from '../byte-writer.ts'
import { ConnectionError, ERROR, errorName } from '../error-codes.ts'
import { FrameReader, type FrameSink } from '../frame-reader.ts'
import {
  checkGoaway,
  checkIncrement,
  checkPing,
  checkRstStream,
  isAcknowledgement,
  openedWindow,
  protocolError,
  windowIncrement,
} from '../frame-rules.ts'
import { FLAG, FRAME, FRAME_SIZE, INITIAL_WINDOW, LARGEST, PREFACE, SETTING } from '../frames.ts'
import { writeBlock } from '../head-block.ts'
import { HpackDecoder } from '../hpack/decoder.ts'
import { HpackEncoder } from '../hpack/encoder.ts'
import { contentEnd, dataStart, fragmentStart, OpenBlock } from '../open-block.ts'
import { PeerSettings } from '../peer-settings.ts'
import { type ClientListener, ClientStream, STREAM_WINDOW } from './client-stream.ts'
import { ResponseBlock } from './response-block.ts'
import { SessionFault } from './session-fault.ts'

/** The connection that carries a session. */
export interface ClientWire {
  /** Sends bytes, which do not change. @returns false if the caller should wait until `drained` is called */
  write(bytes: Buffer): boolean
}

/** Bytes that a server may send on the connection before this side has read them. */
const CONNECTION_WINDOW = 1024 * 1024

/** Frames without any effect on a response, at once and per second, that a server may send. */
const FRAMES = 10_000
const FRAMES_PER_SECOND = 500

/** So many bytes of data, sent or received, earn one such frame: servers acknowledge them, or measure the connection by them. */
const BYTES_PER_FRAME = 512

/** Requests at a time, even if the server permits more: what it sends for each of them may have to wait here. */
const STREAMS = 100

/** Streams of a session: numbers of streams are odd and have 31 bits. */
const LAST_STREAM: number = LARGEST - 2

/**
 * The client side of one connection of HTTP/2 (RFC 9113), with as many requests at a time as the server permits. The
 * connection passes what arrives to `receive`. A server that breaks the rules, or exceeds a limit, loses the connection: `isOver` is true then.
 */
export class ClientSession implements FrameSink {
  readonly #wire: ClientWire
  readonly #input = new Input()
  readonly #reader = new FrameReader(this, false)
  readonly #decoder = new HpackDecoder()
  readonly #encoder = new HpackEncoder()
  readonly #peer = new PeerSettings()
  readonly #frames = new ByteWriter()
  readonly #budget = new Budget(FRAMES, FRAMES_PER_SECOND, performance.now())
  readonly #streams = new Map<number, ClientStream>()
  /** Streams whose responses are complete, until all frames that came with them are read. */
  #ended: ClientStream[] = []
  /** For the streams: those that wait to send something, or to be asked for more. */
  readonly writing: Set<ClientStream> = new Set()
  #block: OpenBlock | null = null
  #lastStream = -1
  #sendWindow = INITIAL_WINDOW
  #receiveWindow = CONNECTION_WINDOW
  #isReceiving = false
  #isBacklogged = false
  /** The server takes no further requests. */
  #isLeaving = false
  #isOver = false
  #isAcknowledged = false
  /** The settings of the server have arrived. */
  #hasSettings = false

  constructor(wire: ClientWire) {
    this.#wire = wire
    this.#frames.chunk(PREFACE)
    this.#writeSettings()
  }

  /** Nothing more is sent or received: the owner closes the connection. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Further requests that the session takes now: only one until the server has said how many it permits. */
  get room(): number {
    if (this.#isOver || this.#isLeaving) return 0
    const most = this.#hasSettings ? Math.min(this.#peer.maxConcurrentStreams, STREAMS) : 1
    return Math.max(0, Math.min(most - this.#streams.size, (LAST_STREAM - this.#lastStream) / 2))
  }

  /** Whether the session takes another request now. */
  get isUsable(): boolean {
    return this.room > 0
  }

  /** The connection takes no more bytes for the moment. */
  get isBacklogged(): boolean {
    return this.#isBacklogged
  }

  /**
   * Sends a request.
   * @param fields pseudo fields first, names in lower case
   * @param isWhole whether no body follows
   * @throws Error if the session takes none
   */
  request(
    method: string,
    fields: Iterable<readonly [name: string, value: string]>,
    isWhole: boolean,
    listener: ClientListener,
  ): ClientStream {
    if (!this.isUsable) throw new Error('the session takes no request')
    this.#lastStream += 2
    const stream = new ClientStream(this, this.#lastStream, method, listener, this.#peer.initialWindowSize, isWhole)
    this.#streams.set(stream.id, stream)
    const block = new ByteWriter()
    this.#encoder.begin(block)
    for (const [name, value] of fields) this.#encoder.field(block, name, value)
    writeBlock(this.#frames, stream.id, block.bytes, isWhole ? FLAG.endStream : 0)
    this.flush()
    return stream
  }

  /** The first `count` bytes have arrived. They are read during the call. */
  receive(bytes: Buffer, count: number): void {
    if (this.#isOver) return
    this.#isReceiving = true
    try {
      this.#input.push(bytes, count)
      this.#reader.read(this.#input, this.#mayContinue)
      this.#input.keep()
    } catch (error) {
      this.#fail(error)
    }
    this.#isReceiving = false
    this.flush()
    if (this.#ended.length === 0) return
    const ended = this.#ended
    this.#ended = []
    for (const stream of ended) stream.reportEnd()
  }

  /** The connection has closed, or its other side sends nothing more. @param cause the error that closed it, or null */
  close(cause: Error | null): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#input.clear()
    const text = cause === null ? 'the back end closed the connection' : cause.message
    this.#loseStreams(new SessionFault('closed', text, false, cause))
  }

  /** The connection takes bytes again. */
  drained(): void {
    this.#isBacklogged = false
    this.#continueWriting()
  }

  /** Sends what was collected. */
  flush(): void {
    if (this.#isReceiving || this.#isOver) return
    this.#pump()
    if (this.#frames.length === 0) return
    const bytes = this.#frames.copy()
    this.#frames.clear()
    this.#frames.shrink()
    if (!this.#wire.write(bytes)) this.#isBacklogged = true
    this.#continueWriting()
  }

  /** Frames what the windows admit: another stream comes first each time, because all share the window of the connection. */
  #pump(): void {
    const { writing } = this
    if (writing.size === 0) return
    for (const stream of [...writing]) stream.pump()
    if (writing.size < 2) return
    const [first] = writing
    writing.delete(first)
    writing.add(first)
  }

  #continueWriting(): void {
    for (const stream of [...this.writing]) stream.continueWriting()
  }

  onFrame(type: number, flags: number, stream: number, bytes: Buffer, start: number, end: number): void {
    const block = this.#block
    if (block !== null && (type !== FRAME.continuation || stream !== block.stream)) {
      throw protocolError('unexpected frame: expected CONTINUATION')
    }
    switch (type) {
      case FRAME.data:
        return this.#data(flags, stream, bytes, start, end)
      case FRAME.headers:
        return this.#headers(flags, stream, bytes, start, end)
      case FRAME.continuation:
        return this.#continuation(flags, bytes, start, end)
      case FRAME.rstStream:
        return this.#rstStream(stream, bytes, start, end)
      case FRAME.settings:
        return this.#settings(flags, stream, bytes, start, end)
      case FRAME.pushPromise:
        throw protocolError('PUSH_PROMISE: push disabled')
      case FRAME.ping:
        return this.#ping(flags, stream, bytes, start, end)
      case FRAME.goaway:
        return this.#goaway(stream, bytes, start, end)
      case FRAME.windowUpdate:
        return this.#windowUpdate(stream, bytes, start, end)
      default:
        // Priorities, and what later protocols add.
        this.#count()
    }
  }

  /** For the stream: the most that the next DATA frame may contain. */
  roomOf(stream: ClientStream): number {
    return Math.min(this.#sendWindow, stream.sendWindow, FRAME_SIZE)
  }

  /** For the stream: frames a part of the body. */
  writeData(stream: ClientStream, bytes: Buffer, endsStream: boolean): void {
    this.#frames.frame(bytes.length, FRAME.data, endsStream ? FLAG.endStream : 0, stream.id)
    this.#frames.chunk(bytes)
    this.#sendWindow -= bytes.length
    stream.sendWindow -= bytes.length
    this.#budget.earn(bytes.length / BYTES_PER_FRAME)
  }

  /** For the stream. */
  writeWindowUpdate(stream: number, count: number): void {
    this.#frames.frame(4, FRAME.windowUpdate, 0, stream)
    this.#frames.uint32(count)
  }

  /** For the stream: its response is complete. */
  ended(stream: ClientStream): void {
    this.#forget(stream)
    this.#ended.push(stream)
  }

  #forget(stream: ClientStream): void {
    this.#streams.delete(stream.id)
    this.writing.delete(stream)
  }

  /** For the stream: ends it before both sides have finished. @param how `ended` if the response is complete */
  reset(stream: ClientStream, code: number, how: 'failed' | 'ended' = 'failed'): void {
    if (this.#streams.get(stream.id) !== stream) return
    this.#frames.frame(4, FRAME.rstStream, 0, stream.id)
    this.#frames.uint32(code)
    this.#forget(stream)
    if (how === 'ended') this.#ended.push(stream)
  }

  readonly #mayContinue = (): boolean => !this.#isOver

  #writeSettings(): void {
    const pairs = [
      [SETTING.enablePush, 0],
      [SETTING.initialWindowSize, STREAM_WINDOW],
    ]
    this.#frames.frame(6 * pairs.length, FRAME.settings, 0, 0)
    for (const [id, value] of pairs) {
      this.#frames.uint16(id)
      this.#frames.uint32(value)
    }
    this.writeWindowUpdate(0, CONNECTION_WINDOW - INITIAL_WINDOW)
  }

  #count(): void {
    if (!this.#budget.spend(1, performance.now())) {
      throw new ConnectionError(ERROR.enhanceYourCalm, 'too many frames without content')
    }
  }

  /** The stream of a frame; null for one that has ended. @throws ConnectionError for one that was never opened */
  #streamOf(id: number, name: string): ClientStream | null {
    if (id === 0) throw protocolError(`${name}: stream_id == 0`)
    if (id % 2 === 0 || id > this.#lastStream) throw protocolError(`${name}: stream in idle`)
    const stream = this.#streams.get(id)
    if (stream !== undefined) return stream
    this.#count()
    return null
  }

  #data(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    const length = end - start
    const stream = this.#streamOf(id, 'DATA')
    if (length > this.#receiveWindow) throw new ConnectionError(ERROR.flowControl, 'DATA: the window of the connection')
    this.#receiveWindow -= length
    this.#budget.earn(length / BYTES_PER_FRAME)
    // What one stream may send is limited by its own window.
    if (this.#receiveWindow < CONNECTION_WINDOW / 2) {
      this.writeWindowUpdate(0, CONNECTION_WINDOW - this.#receiveWindow)
      this.#receiveWindow = CONNECTION_WINDOW
    }
    const to = contentEnd(flags, bytes, start, end)
    const from = dataStart(flags, start)
    if (stream === null) return
    const endsStream = (flags & FLAG.endStream) !== 0
    if (to === from && !endsStream) this.#count()
    stream.data(bytes, from, to, length, endsStream)
  }

  #headers(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    this.#streamOf(id, 'HEADERS')
    const to = contentEnd(flags, bytes, start, end)
    const from = fragmentStart(flags, start, to)
    const endsStream = (flags & FLAG.endStream) !== 0
    if ((flags & FLAG.endHeaders) !== 0) return this.#blockComplete(id, endsStream, bytes, from, to)
    this.#block = new OpenBlock(id, endsStream, bytes.subarray(from, to))
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

  #blockComplete(id: number, endsStream: boolean, bytes: Buffer, start: number, end: number): void {
    const stream = this.#streams.get(id)
    const block = new ResponseBlock(stream?.expectsTrailers === true ? 'trailers' : 'head')
    if (!this.#decoder.decode(bytes, start, end, block)) {
      throw new ConnectionError(ERROR.compression, 'HEADERS: could not decode header block')
    }
    block.finish()
    stream?.headers(block, endsStream)
  }

  #rstStream(id: number, bytes: Buffer, start: number, end: number): void {
    checkRstStream(end - start)
    const stream = this.#streamOf(id, 'RST_STREAM')
    if (stream === null) return
    this.#forget(stream)
    const code = bytes.readUInt32BE(start)
    stream.fail(new SessionFault('reset', `the back end reset the stream: ${errorName(code)}`, code === ERROR.refusedStream))
  }

  #settings(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    if (isAcknowledgement(flags, id, end - start)) {
      if (this.#isAcknowledged) throw protocolError('SETTINGS: unexpected ACK')
      this.#isAcknowledged = true
      return
    }
    this.#count()
    const before = this.#peer.initialWindowSize
    for (let at = start; at < end; at += 6) {
      const setting = bytes.readUInt16BE(at)
      const value = bytes.readUInt32BE(at + 2)
      // RFC 9113 section 6.5.2: a server must not ask for promises.
      if (setting === SETTING.enablePush && value !== 0) throw protocolError('SETTINGS: server attempted to enable push')
      this.#peer.set(setting, value)
    }
    this.#encoder.limit(this.#peer.headerTableSize)
    this.#hasSettings = true
    for (const stream of this.#streams.values()) stream.grow(this.#peer.initialWindowSize - before)
    this.#frames.frame(0, FRAME.settings, FLAG.ack, 0)
  }

  #ping(flags: number, id: number, bytes: Buffer, start: number, end: number): void {
    checkPing(id, end - start)
    this.#count()
    if ((flags & FLAG.ack) !== 0) return
    this.#frames.frame(8, FRAME.ping, FLAG.ack, 0)
    this.#frames.chunk(bytes, start, end)
  }

  #goaway(id: number, bytes: Buffer, start: number, end: number): void {
    checkGoaway(id, end - start)
    this.#count()
    this.#isLeaving = true
    const last = bytes.readUInt32BE(start) & LARGEST
    const text = `the back end leaves: ${errorName(bytes.readUInt32BE(start + 4))}`
    for (const stream of [...this.#streams.values()]) {
      if (stream.id <= last) continue
      this.#forget(stream)
      stream.fail(new SessionFault('goaway', text, true))
    }
  }

  #windowUpdate(id: number, bytes: Buffer, start: number, end: number): void {
    const count = windowIncrement(bytes, start, end)
    this.#count()
    if (id === 0) {
      this.#sendWindow = openedWindow(this.#sendWindow, count)
      return
    }
    const stream = this.#streamOf(id, 'WINDOW_UPDATE')
    if (stream === null) return
    checkIncrement(count)
    stream.grow(count)
  }

  /** Ends the connection: by an error of the server, or of this program. */
  #fail(error: unknown): void {
    if (this.#isOver) return
    const isOfServer = error instanceof ConnectionError
    this.#frames.frame(8, FRAME.goaway, 0, 0)
    this.#frames.uint32(0)
    this.#frames.uint32(isOfServer ? error.code : ERROR.internal)
    this.#wire.write(this.#frames.copy())
    this.#isOver = true
    this.#input.clear()
    const text = error instanceof Error ? error.message : String(error)
    this.#loseStreams(
      isOfServer
        ? new SessionFault('protocol', `the back end broke the protocol: ${text} (${errorName(error.code)})`)
        : new SessionFault('broken', text, false, error),
    )
  }

  #loseStreams(fault: SessionFault): void {
    const lost = [...this.#streams.values()]
    this.#streams.clear()
    this.writing.clear()
    for (const stream of lost) stream.fail(fault)
  }
}
