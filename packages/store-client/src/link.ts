import { connect, type Socket } from 'node:net'
import type { StoreAddress } from './addresses.ts'

/** Reads replies from bytes that arrive in parts. */
export interface ReplyParser<R> {
  /** @returns the replies that are complete now @throws Error for bytes that are no reply */
  push(bytes: Uint8Array): R[]
}

interface Pending<R> {
  readonly resolve: (reply: R) => void
  readonly reject: (error: Error) => void
}

/**
 * A connection to a server that answers commands in their order. It is made when it is needed, and again after it was lost:
 * then what was under way is rejected. A server that takes longer than the limit has lost it, too.
 */
export class Link<R> {
  readonly #address: StoreAddress
  readonly #parser: () => ReplyParser<R>
  readonly #limit: number
  #socket: Socket | null = null
  #pending: Pending<R>[] = []

  /** @param limit milliseconds for a reply, and for the connection */
  constructor(address: StoreAddress, parser: () => ReplyParser<R>, limit: number) {
    this.#address = address
    this.#parser = parser
    this.#limit = limit
  }

  /** Sends a command. @returns its reply */
  ask(command: Uint8Array): Promise<R> {
    const socket = this.#socket ?? this.#open()
    return new Promise<R>((resolve, reject) => {
      const late = setTimeout(() => this.#lose(socket, new Error(`no answer within ${this.#limit} ms`)), this.#limit)
      this.#pending.push({
        resolve: (reply) => {
          clearTimeout(late)
          resolve(reply)
        },
        reject: (error) => {
          clearTimeout(late)
          reject(error)
        },
      })
      socket.write(command)
    })
  }

  close(): void {
    if (this.#socket !== null) this.#lose(this.#socket, new Error('the connection is closed'))
  }

  #open(): Socket {
    const socket = connect(this.#address)
    const parser = this.#parser()
    socket.setNoDelay(true)
    // A process may end although a connection is open; a pending command keeps it by its timer.
    socket.unref()
    socket.on('data', (bytes) => this.#read(socket, parser, bytes))
    socket.on('error', (error) => this.#lose(socket, error))
    socket.on('close', () => this.#lose(socket, new Error('the server has closed the connection')))
    this.#socket = socket
    return socket
  }

  #read(socket: Socket, parser: ReplyParser<R>, bytes: Uint8Array): void {
    if (socket !== this.#socket) return
    try {
      for (const reply of parser.push(bytes)) {
        const next = this.#pending.shift()
        if (next === undefined) throw new Error('a reply without a command')
        next.resolve(reply)
      }
    } catch (error) {
      this.#lose(socket, error instanceof Error ? error : new Error(String(error)))
    }
  }

  #lose(socket: Socket, error: Error): void {
    if (socket !== this.#socket) return
    this.#socket = null
    socket.destroy()
    for (const { reject } of this.#pending.splice(0)) reject(error)
  }
}
