import {
  type ConnectionSink,
  ProgressWatch,
  type UpstreamConnection,
  UpstreamError,
  type UpstreamFault,
  type Watched,
} from '@gatewright/upstream'
import type { CgiFields } from './cgi-fields.ts'
import { type CgiHead, CgiHeadReader } from './cgi-head.ts'
import { type FastcgiRequest, FastcgiRequestWriter, REQUEST_ID } from './fastcgi-request.ts'
import { RECORD, RecordReader, type RecordSink } from './record.ts'

/** Receives a response. No calls follow onEnd and onError. */
export interface FastcgiListener {
  onHead(head: CgiHead): void
  /** Another part of the body, valid only during the call. */
  onData(chunk: Buffer): void
  /** The response is complete; its connection was released or closed. @param exitStatus that of the application */
  onEnd(exitStatus: number): void
  onError(error: UpstreamError): void
  /** The text of a record of the error stream. */
  onStderr(text: string): void
  /** After `write` returned false: all of it was sent. */
  onDrain?(): void
}

/** Statuses of the protocol at the end of a request (section 5.5). */
const FAULTS: readonly (UpstreamFault | null)[] = [null, 'cant-multiplex', 'overloaded', 'unknown-role']
/** Characters of a message of the error stream. */
const STDERR_MAX = 8192
/** Characters of a line that messages show. */
const SHOWN_MAX = 30
/** Bytes of the record that ends a request. */
const END_SIZE = 8

/** One request to a FastCGI responder and its response. */
export class FastcgiExchange implements ConnectionSink, Watched, RecordSink {
  readonly connection: UpstreamConnection
  /** When it began, in microseconds of the clock of performance.now. */
  readonly startedAt: number
  /** When the head of the response was complete; 0 before. */
  headAt: number
  bytesReceived: number
  readonly #request: FastcgiRequest
  readonly #listener: FastcgiListener
  readonly #writer: FastcgiRequestWriter
  readonly #records: RecordReader
  readonly #head: CgiHeadReader
  readonly #progress: ProgressWatch
  #stderr: string
  /** True before the content of a record of the output: one without content ends the output. */
  #stdoutEnds: boolean
  /** After a line that is no field: what has arrived of the last line of the record, which the message shows. */
  #lastLine: string | null
  /** Bytes of the record that ends the request which have arrived, and what they state. */
  #endSize: number
  #exitStatus: number
  #protocolStatus: number
  #dataSeen: boolean
  #paused: boolean
  /** What arrived while the response was paused. */
  #held: Buffer[]
  #done: boolean

  constructor(connection: UpstreamConnection, request: FastcgiRequest, listener: FastcgiListener) {
    this.connection = connection
    this.startedAt = performance.now() * 1000
    this.headAt = request.output === 'raw' ? this.startedAt : 0
    this.bytesReceived = 0
    this.#request = request
    this.#listener = listener
    this.#records = new RecordReader()
    this.#head = new CgiHeadReader()
    this.#progress = new ProgressWatch(connection)
    this.#stderr = ''
    this.#stdoutEnds = true
    this.#lastLine = null
    this.#endSize = 0
    this.#exitStatus = 0
    this.#protocolStatus = 0
    this.#dataSeen = false
    this.#paused = false
    this.#held = []
    this.#done = false
    connection.sink = this
    this.#writer = new FastcgiRequestWriter(connection, request)
    if (request.timeout > 0) connection.owner.clock.add(this, request.timeout)
  }

  get requestEnded(): boolean {
    return this.#writer.ended
  }

  /** No further calls of the listener follow. */
  get ended(): boolean {
    return this.#done
  }

  get bytesSent(): number {
    return this.#writer.bytesSent
  }

  /** The fields before the line for which a head was refused. */
  get refusedFields(): CgiFields {
    return this.#head.fields
  }

  /** FastCGI has no trailers. */
  get trailers(): null {
    return null
  }

  /**
   * Sends a part of the request's body, whose bytes must not change until it is sent. Returns false if the caller should
   * wait for onDrain.
   */
  write(chunk: Buffer): boolean {
    if (this.#done || this.#writer.ended) return true
    this.#progress.made = true
    return this.#writer.write(chunk)
  }

  /** The body of the request is complete. */
  endRequest(): void {
    if (this.#done) return
    this.#progress.made = true
    this.#writer.end()
  }

  pause(): void {
    if (this.#done || this.#paused) return
    this.#paused = true
    this.connection.pause()
  }

  resume(): void {
    if (this.#done || !this.#paused) return
    this.#paused = false
    this.#progress.made = true
    const held = this.#held
    this.#held = []
    for (const bytes of held) this.#read(bytes, bytes.length)
    if (!this.#isOver() && !this.#paused) this.connection.resume()
  }

  /** Ends the exchange and its connection. The listener is not called any more. */
  abort(): void {
    if (this.#done) return
    this.#leave(this.headAt === 0 ? -1 : this.headAt - this.startedAt)
    this.connection.destroy()
  }

  onBytes(bytes: Buffer, count: number): void {
    this.bytesReceived += count
    this.#progress.made = true
    this.#read(bytes, count)
  }

  onDrain(): void {
    this.#listener.onDrain?.()
  }

  onEnd(): void {
    this.#closed(null)
  }

  onClose(error: Error | null): void {
    this.#closed(error)
  }

  tick(now: number): void {
    const stalled = this.#progress.stalled(now, this.#request.timeout, !this.#paused && this.#writer.ended)
    if (stalled === 'no') return
    if (stalled === 'sending') this.#fail('send-timeout')
    else this.#fail(this.headAt === 0 ? 'head-timeout' : 'body-timeout')
  }

  content(type: number, id: number, bytes: Buffer, start: number, count: number): void {
    // Records of other requests, and of the connection, are none of this exchange.
    if (id !== REQUEST_ID) return
    if (type === RECORD.stdout) {
      this.#stdoutEnds = false
      this.#stdout(bytes, start, count)
    } else if (type === RECORD.stderr) this.#takeStderr(bytes.toString('latin1', start, start + count))
    else if (type === RECORD.endRequest) {
      const end = start + Math.min(count, END_SIZE - this.#endSize)
      for (let at = start; at < end; at++, this.#endSize++) {
        if (this.#endSize < 4) this.#exitStatus = (this.#exitStatus << 8) | bytes[at]
        else if (this.#endSize === 4) this.#protocolStatus = bytes[at]
      }
    }
  }

  end(type: number, id: number): void {
    if (id !== REQUEST_ID) return
    if (type === RECORD.stderr && this.#stderr !== '') {
      const text = this.#stderr
      this.#stderr = ''
      this.#listener.onStderr(text)
    } else if (type === RECORD.endRequest) this.#requestEnds()
    else if (type === RECORD.stdout) {
      if (this.#lastLine !== null) return this.#fail('field-line', this.#lastLine.slice(0, SHOWN_MAX))
      if (this.#stdoutEnds && this.headAt === 0) this.#takeHead(this.#head.end())
      this.#stdoutEnds = true
    }
  }

  /** A record is reported when it ends; of a long one, httpd makes several messages. */
  #takeStderr(text: string): void {
    this.#stderr += text
    while (this.#stderr.length > STDERR_MAX) {
      const part = this.#stderr.slice(0, STDERR_MAX)
      this.#stderr = this.#stderr.slice(STDERR_MAX)
      this.#listener.onStderr(part)
    }
  }

  #read(bytes: Buffer, count: number): void {
    if (this.#paused) {
      this.#held.push(Buffer.from(bytes.subarray(0, count)))
      return
    }
    const read = this.#records.read(bytes, count, this)
    if (this.#done) return
    if (read < 0) this.#fail('protocol', String(this.#records.version))
  }

  #stdout(bytes: Buffer, start: number, count: number): void {
    if (this.headAt !== 0) return this.#pass(bytes, start, count)
    if (this.#lastLine !== null) {
      this.#lastLine += bytes.toString('latin1', start, start + count)
      this.#lastLine = this.#lastLine.slice(this.#lastLine.lastIndexOf('\n') + 1)
      return
    }
    const status = this.#head.read(bytes, start, count)
    if (status === 'more') return
    if (status === 'refused' && this.#head.fault === 'field-line') {
      this.#lastLine = this.#head.detail
      return
    }
    if (status === 'refused') return this.#fail(this.#head.fault, this.#head.detail)
    if (this.#head.head !== null) this.#takeHead(this.#head.head)
  }

  #takeHead(head: CgiHead): void {
    this.headAt = performance.now() * 1000
    this.#listener.onHead(head)
    const { input } = this.#head
    if (!this.#done && input.length > 0) this.#pass(input.bytes, input.start, input.length)
    input.clear()
  }

  #pass(bytes: Buffer, start: number, count: number): void {
    if (this.#done) return
    this.#dataSeen = true
    this.#listener.onData(bytes.subarray(start, start + count))
  }

  #requestEnds(): void {
    const fault = FAULTS[this.#protocolStatus]
    if (this.#endSize < END_SIZE || fault === undefined) return this.#fail('protocol')
    if (fault !== null) return this.#fail(fault)
    // As in httpd, output without a head is a body only if the output was ended as well.
    if (this.headAt === 0) {
      this.#head.input.clear()
      this.#takeHead(this.#head.end())
    }
    if (!this.#done) this.#complete()
  }

  #complete(): void {
    const { connection } = this
    const keeps = this.#request.keepConnection && this.#writer.ended && !connection.closed
    if (this.#paused) connection.resume()
    this.#leave(this.headAt - this.startedAt)
    if (keeps) connection.release()
    else connection.destroy()
    this.#listener.onEnd(this.#exitStatus)
  }

  #isOver(): boolean {
    return this.#done
  }

  #closed(cause: Error | null): void {
    if (this.#done) return
    // Nothing can be read later: what was held back is passed on now.
    this.#paused = false
    for (const bytes of this.#held.splice(0)) this.#read(bytes, bytes.length)
    if (this.#isOver()) return
    if (this.headAt !== 0) this.#fail('truncated', '', cause)
    else this.#fail(this.bytesReceived === 0 ? 'closed-early' : 'closed-in-head', '', cause)
  }

  #fail(code: UpstreamFault, detail = '', cause: Error | null = null): void {
    const { connection, bytesReceived } = this
    this.#leave(-1)
    connection.destroy()
    const kept = connection.uses > 0
    this.#listener.onError(new UpstreamError(code, { detail, cause, received: bytesReceived, kept, beforeBody: !this.#dataSeen }))
  }

  #leave(latency: number): void {
    this.#done = true
    this.#records.stop()
    const { owner } = this.connection
    owner.clock.remove(this)
    owner.exchangeEnded(this.#writer.bytesSent, this.bytesReceived, latency)
  }
}
