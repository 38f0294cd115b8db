import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecured } from 'node:tls'
import { BlockWriter, type Field, FrameParser, frameBytes, type ReceivedFrame } from '../../packages/http2/test/support/frames.ts'

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const GOAWAY = 7

/** Where a server is, and how it is reached. */
export interface Reach {
  readonly port: number
  /** Address in the loopback network; 127.0.0.1 unless given. */
  readonly host?: string
  /** Source address in the loopback network. */
  readonly from?: string
  /** By TLS, with h2 chosen by ALPN; certificates are not checked. */
  readonly isSecured?: boolean
}

/** A client of HTTP/2 on a socket that sends frame by frame, also wrong ones, and keeps to no window. */
export class FrameSocket {
  /** All frames that have arrived. */
  readonly frames: ReceivedFrame[] = []
  /** The connection has ended, by which side ever. */
  closed = false
  readonly #socket: Socket
  readonly #parser = new FrameParser()
  readonly #blocks = new BlockWriter()
  #news: (() => void)[] = []

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.frames.push(...this.#parser.push(bytes))
      this.#wake()
    })
    // What matters is that it has ended.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.closed = true
      this.#wake()
    })
  }

  /** Connects and sends nothing. */
  static open({ port, host = '127.0.0.1', from, isSecured = false }: Reach): Promise<FrameSocket> {
    const place = { host, port, localAddress: from }
    const socket = isSecured
      ? connectSecured({ ...place, ALPNProtocols: ['h2'], servername: 'localhost', rejectUnauthorized: false })
      : connectPlain(place)
    const client = new FrameSocket(socket)
    return new Promise((resolve, reject) => {
      socket.once(isSecured ? 'secureConnect' : 'connect', () => resolve(client))
      socket.once('error', reject)
    })
  }

  /** Connects, and sends the preface and settings. */
  static async begin(reach: Reach, settings: Buffer = Buffer.alloc(0)): Promise<FrameSocket> {
    const client = await FrameSocket.open(reach)
    client.write(PREFACE)
    client.send(4, 0, 0, settings)
    return client
  }

  /** The code of the last GOAWAY; null before. */
  get goaway(): number | null {
    return this.frames.findLast(({ type }) => type === GOAWAY)?.payload.readUInt32BE(4) ?? null
  }

  /** Whether nothing that is sent now could matter. */
  get isOver(): boolean {
    return this.closed || this.goaway !== null
  }

  /** Sends all that is sent during a call at once. */
  together(send: () => void): void {
    this.#socket.cork()
    send()
    this.#socket.uncork()
  }

  write(bytes: Buffer): void {
    if (!this.closed) this.#socket.write(bytes)
  }

  send(type: number, flags: number, stream: number, payload: Buffer | string = ''): void {
    this.write(frameBytes(type, flags, stream, payload))
  }

  block(fields: readonly Field[]): Buffer {
    return this.#blocks.block(fields)
  }

  /** Sends a header block in one frame. */
  head(stream: number, fields: readonly Field[], endsStream = true): void {
    this.send(1, endsStream ? 5 : 4, stream, this.block(fields))
  }

  /** Acknowledges the settings of the server as soon as they have arrived. */
  async acknowledge(): Promise<void> {
    await this.until(() => this.frames.some(({ type, flags }) => type === 4 && (flags & 1) === 0))
    this.send(4, 1, 0)
  }

  /** Waits until the socket has taken everything, or the connection has ended. */
  async flushed(): Promise<void> {
    if (this.#socket.writableLength === 0) return this.turn()
    const drained = new Promise<void>((resolve) => this.#socket.once('drain', resolve))
    const length = this.#socket.writableLength
    // Below its mark a socket reports nothing.
    if (length < this.#socket.writableHighWaterMark) return this.turn()
    await Promise.race([drained, this.until(() => this.closed)])
  }

  /** Waits for one turn of the loop, in which frames may arrive. */
  turn(): Promise<void> {
    return new Promise((resolve) => setImmediate(resolve))
  }

  /** Waits until something holds, which may change with each frame. It is checked again when the connection ends, and then no more. */
  async until(holds: () => boolean): Promise<boolean> {
    while (!holds()) {
      if (this.closed) return false
      await new Promise<void>((resolve) => this.#news.push(resolve))
    }
    return true
  }

  /** Waits for the end of the connection. */
  async ended(): Promise<void> {
    await this.until(() => this.closed)
  }

  /** Takes nothing more from the socket. */
  stopReading(): void {
    this.#socket.pause()
  }

  destroy(): void {
    this.#socket.destroy()
  }

  #wake(): void {
    const waiting = this.#news
    this.#news = []
    for (const resume of waiting) resume()
  }
}
