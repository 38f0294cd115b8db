import type { Duplex } from 'node:stream'
import type { TunnelBody } from '@gatewright/api'
import type { UpstreamConnection } from './connection.ts'

/**
 * Joins a client and a backend that have left HTTP: bytes go both ways until one side ends, or nothing moves for a time.
 * @param rest what the backend has sent already
 * @param idle the longest silence, in milliseconds
 * @param done is called once with the bytes of both directions
 */
export function tunnelTo(
  opening: string,
  connection: UpstreamConnection,
  rest: Buffer,
  idle: number,
  done: (sent: number, received: number) => void,
): TunnelBody {
  return {
    opening,
    tunnel: (client) => {
      new Tunnel(client, connection, idle, done).start(rest)
    },
  }
}

class Tunnel {
  readonly #client: Duplex
  readonly #connection: UpstreamConnection
  readonly #idle: number
  readonly #done: (sent: number, received: number) => void
  #movedAt: number
  #timer: NodeJS.Timeout | null
  #sent: number
  #received: number
  #ended: boolean

  constructor(client: Duplex, connection: UpstreamConnection, idle: number, done: (sent: number, received: number) => void) {
    this.#client = client
    this.#connection = connection
    this.#idle = idle
    this.#done = done
    this.#movedAt = Date.now()
    this.#timer = null
    this.#sent = 0
    this.#received = 0
    this.#ended = false
  }

  start(rest: Buffer): void {
    const client = this.#client
    const connection = this.#connection
    connection.sink = {
      onBytes: (bytes, count) => this.#toClient(Buffer.from(bytes.subarray(0, count))),
      onEnd: () => void client.end(),
      onDrain: () => void client.resume(),
      onClose: () => this.#end(),
    }
    client.on('data', (chunk: Buffer) => this.#toBackend(chunk))
    client.on('end', () => connection.end())
    client.on('drain', () => connection.resume())
    client.on('close', () => this.#end())
    client.on('error', () => this.#end())
    if (rest.length > 0) this.#toClient(rest)
    connection.resume()
    if (this.#idle > 0) this.#watch(this.#idle)
  }

  #toClient(chunk: Buffer): void {
    this.#received += chunk.length
    this.#movedAt = Date.now()
    if (!this.#client.write(chunk)) this.#connection.pause()
  }

  #toBackend(chunk: Buffer): void {
    this.#sent += chunk.length
    this.#movedAt = Date.now()
    if (!this.#connection.write(chunk)) this.#client.pause()
  }

  /** Many tunnels are silent for long: each looks at the clock once in its limit. */
  #watch(ms: number): void {
    this.#timer = setTimeout(() => {
      const left = this.#movedAt + this.#idle - Date.now()
      if (left <= 0) this.#end()
      else this.#watch(left)
    }, ms)
    this.#timer.unref()
  }

  #end(): void {
    if (this.#ended) return
    this.#ended = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#connection.destroy()
    if (!this.#client.writableEnded) this.#client.end()
    this.#done(this.#sent, this.#received)
  }
}
