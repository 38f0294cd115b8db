import { connect, type Socket } from 'node:net'
import type { StoreAddress } from './addresses.ts'
import { encodeCommand, RespParser, type RespReply } from './resp.ts'

type Listener = (bytes: Uint8Array) => void

/** How long it waits before it connects again, at first and at most (ms). */
const FIRST_PAUSE = 1_000
const LONGEST_PAUSE = 30_000
/** How often it asks a silent server whether it is still there (ms). */
const PING_INTERVAL = 30_000

/**
 * A connection to Redis that receives what is published, while anybody listens. A lost connection is made again; what was
 * published meanwhile is lost. Nothing of it keeps a process from its end.
 */
export class Subscriber {
  readonly #address: StoreAddress
  readonly #limit: number
  readonly #listeners = new Map<string, Set<Listener>>()
  #socket: Socket | null = null
  #retry: NodeJS.Timeout | null = null
  #pause = 0

  /** @param limit milliseconds for the connection, and for the answer to a question whether the server is there */
  constructor(address: StoreAddress, limit: number) {
    this.#address = address
    this.#limit = limit
  }

  /** @returns the function that ends it */
  subscribe(channel: string, listener: Listener): () => void {
    const own: Listener = (bytes) => listener(bytes)
    const listeners = this.#listeners.get(channel) ?? new Set<Listener>()
    this.#listeners.set(channel, listeners.add(own))
    if (this.#socket === null) {
      if (this.#retry === null) this.#open()
    } else if (listeners.size === 1) this.#socket.write(encodeCommand(['SUBSCRIBE', channel]))
    return () => this.#unsubscribe(channel, own)
  }

  close(): void {
    this.#listeners.clear()
    this.#rest()
  }

  #unsubscribe(channel: string, listener: Listener): void {
    const listeners = this.#listeners.get(channel)
    if (listeners?.delete(listener) !== true || listeners.size > 0) return
    this.#listeners.delete(channel)
    if (this.#listeners.size === 0) this.#rest()
    else this.#socket?.write(encodeCommand(['UNSUBSCRIBE', channel]))
  }

  /** Nobody listens any more. */
  #rest(): void {
    if (this.#retry !== null) clearTimeout(this.#retry)
    this.#retry = null
    const socket = this.#socket
    this.#socket = null
    socket?.destroy()
  }

  #open(): void {
    this.#retry = null
    const socket = connect(this.#address)
    const parser = new RespParser()
    this.#socket = socket
    socket.unref()
    const lose = (): void => this.#lose(socket)
    // Two limits: the server has to answer the subscription, and later every question whether it is there.
    let silence = setTimeout(lose, this.#limit).unref()
    const ping = setInterval(() => {
      socket.write(encodeCommand(['PING']))
      clearTimeout(silence)
      silence = setTimeout(lose, this.#limit).unref()
    }, PING_INTERVAL).unref()
    socket.on('connect', () => socket.write(encodeCommand(['SUBSCRIBE', ...this.#listeners.keys()])))
    socket.on('data', (bytes) => {
      clearTimeout(silence)
      if (socket === this.#socket) this.#read(socket, parser, bytes)
    })
    socket.on('error', lose)
    socket.on('close', () => {
      clearTimeout(silence)
      clearInterval(ping)
      lose()
    })
  }

  #read(socket: Socket, parser: RespParser, bytes: Uint8Array): void {
    try {
      for (const reply of parser.push(bytes)) this.#take(reply)
    } catch {
      this.#lose(socket)
    }
  }

  /** @throws Error for what is not said to subscribers, as an error */
  #take(reply: RespReply): void {
    if (!Array.isArray(reply)) throw new Error('not a reply to a subscriber')
    this.#pause = 0
    const [kind, channel, message]: readonly RespReply[] = reply
    if (!(message instanceof Uint8Array) || !(channel instanceof Uint8Array)) return
    if (!(kind instanceof Uint8Array) || Buffer.from(kind).toString('latin1') !== 'message') return
    for (const listener of this.#listeners.get(Buffer.from(channel).toString('latin1')) ?? [])
      setImmediate(() => listener(message))
  }

  #lose(socket: Socket): void {
    socket.destroy()
    if (socket !== this.#socket) return
    this.#socket = null
    if (this.#listeners.size === 0) return
    this.#pause = Math.min(Math.max(FIRST_PAUSE, 2 * this.#pause), LONGEST_PAUSE)
    this.#retry = setTimeout(() => this.#open(), this.#pause).unref()
  }
}
