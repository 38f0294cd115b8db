import type { Socket } from 'node:net'
import { UpstreamError } from './upstream-error.ts'

/** The longest head that a proxy may send. */
const LONGEST_HEAD = 8192

/**
 * Reads what a proxy replies to CONNECT. What follows its head belongs to the back end, which has been asked nothing yet: a
 * proxy that sends it is refused.
 */
export class ConnectReply {
  readonly #socket: Socket
  #text: string
  #done: ((error: UpstreamError | null) => void) | null
  readonly #onData: (bytes: Buffer) => void
  readonly #onEnd: () => void

  constructor(socket: Socket, done: (error: UpstreamError | null) => void) {
    this.#socket = socket
    this.#text = ''
    this.#done = done
    this.#onData = (bytes) => this.#read(bytes)
    this.#onEnd = () => this.#finish(new UpstreamError('through', { detail: 'closed' }))
    socket.on('data', this.#onData)
    socket.on('end', this.#onEnd)
  }

  stop(): void {
    this.#done = null
    this.#socket.off('data', this.#onData)
    this.#socket.off('end', this.#onEnd)
    this.#socket.pause()
  }

  #read(bytes: Buffer): void {
    this.#text += bytes.toString('latin1')
    const end = this.#text.indexOf('\r\n\r\n')
    if (end < 0) {
      if (this.#text.length > LONGEST_HEAD) this.#finish(new UpstreamError('through', { detail: 'head too long' }))
      return
    }
    const status = /^HTTP\/1\.[01] (\d{3})(?: |\r\n)/.exec(this.#text)?.[1] ?? ''
    if (status !== '200') return this.#finish(new UpstreamError('through', { detail: status }))
    const isAll = end + 4 === this.#text.length
    this.#finish(isAll ? null : new UpstreamError('through', { detail: 'bytes after the head' }))
  }

  #finish(error: UpstreamError | null): void {
    const done = this.#done
    this.stop()
    done?.(error)
  }
}
