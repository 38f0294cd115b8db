import type { HeaderFields } from '@gatewright/http/messages'
import {
  type ClientListener,
  ClientSession,
  type ClientStream,
  type ResponseBlock,
  type SessionFault,
} from '../../src/client/index.ts'
import { BlockWriter, describe, type Field, FrameParser, frameBytes, type ReceivedFrame } from './frames.ts'

const PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'

/** Keeps what a session reports about one request. */
export class Response implements ClientListener {
  /** `103`, `head 200`, `data "text"`, `end`, `reset (not begun)` and so on. */
  readonly events: string[] = []
  readonly heads: ResponseBlock[] = []
  bytes = 0
  fault: SessionFault | null = null

  onInterim(head: ResponseBlock): void {
    this.events.push(String(head.status))
  }

  onHead(head: ResponseBlock): void {
    this.heads.push(head)
    this.events.push(`head ${head.status}`)
  }

  onData(chunk: Buffer): void {
    this.bytes += chunk.length
    this.events.push(`data ${chunk.length > 40 ? chunk.length : `"${chunk.toString('latin1')}"`}`)
  }

  onEnd(trailers: HeaderFields | null): void {
    this.events.push(
      trailers === null ? 'end' : `end with ${[...trailers].map(([name, value]) => `${name}: ${value}`).join(', ')}`,
    )
  }

  onFault(fault: SessionFault): void {
    this.fault = fault
    this.events.push(`${fault.kind}${fault.isUnprocessed ? ' (not begun)' : ''}`)
  }

  onDrain(): void {
    this.events.push('drain')
  }
}

/** A session, and the server at the other end, which sends frame by frame. */
export class FakeServer {
  readonly session: ClientSession
  /** Whether the connection takes more than what was written. */
  takesMore = true
  readonly #blocks = new BlockWriter()
  readonly #parser = new FrameParser()
  #unread: Buffer = Buffer.alloc(0)
  #hasPreface = false

  constructor() {
    this.session = new ClientSession({
      write: (bytes) => {
        this.#unread = Buffer.concat([this.#unread, bytes])
        return this.takesMore
      },
    })
  }

  /** Sends a request with the session. */
  ask(response: Response, fields: readonly Field[] = [], how: { method?: string; hasBody?: boolean } = {}): ClientStream {
    const { method = 'GET', hasBody = false } = how
    const pseudo: Field[] = [
      [':scheme', 'http'],
      [':authority', 'back'],
      [':path', '/'],
      [':method', method],
    ]
    return this.session.request(method, [...pseudo, ...fields], !hasBody, response)
  }

  /** The frames that the session has sent since the last call. */
  frames(): ReceivedFrame[] {
    let bytes = this.#unread
    this.#unread = Buffer.alloc(0)
    if (!this.#hasPreface && bytes.length > 0) {
      if (bytes.toString('latin1', 0, PREFACE.length) !== PREFACE) throw new Error('no preface')
      this.#hasPreface = true
      bytes = bytes.subarray(PREFACE.length)
    }
    return this.#parser.push(bytes)
  }

  /** The same as short texts. */
  sent(): string[] {
    return this.frames().map(describe)
  }

  /** Sends frames in one read. */
  send(...frames: readonly Buffer[]): void {
    const bytes = Buffer.concat(frames)
    this.session.receive(bytes, bytes.length)
  }

  settings(...pairs: readonly (readonly [id: number, value: number])[]): Buffer {
    const payload = Buffer.alloc(6 * pairs.length)
    for (const [index, [id, value]] of pairs.entries()) {
      payload.writeUInt16BE(id, 6 * index)
      payload.writeUInt32BE(value, 6 * index + 2)
    }
    return frameBytes(4, 0, 0, payload)
  }

  /** A header block in one frame. */
  head(stream: number, fields: readonly Field[], flags = 4): Buffer {
    return frameBytes(1, flags, stream, this.#blocks.block(fields))
  }

  block(fields: readonly Field[]): Buffer {
    return this.#blocks.block(fields)
  }
}
