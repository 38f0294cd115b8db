import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** Attackers are not at home where visitors are. */
const ADDRESS = '127.0.0.66'
/** Connections begun at once, and the ms between two such lots: a server gets its chance to accept them. */
const LOT = 50
const LOT_MS = 10
/** ms between two signs of life of a connection. */
const DRIP_MS = 1000
/** Bytes that a client reads of an answer that must not end. */
const SIP = 512
/** ms until a connection that the server has ended is made anew. */
const AGAIN_MS = 500
/** A crowd that does not have all of its connections after this many ms attacks with those it has. */
const BUILD_UP_MS = 15_000

/** The clients of an attack: holds as many connections as possible, until it is stopped. */
export class Crowd {
  #attack
  #port
  #sockets = new Set()
  #open = 0
  #closing = false
  #again = 0
  #timer

  constructor(attack, port) {
    this.#attack = attack
    this.#port = port
  }

  /** Connections that are established now. */
  get open() {
    return this.#open
  }

  /** How often a connection that the server ended was made anew. */
  get again() {
    return this.#again
  }

  /** Returns when all connections are there, or no more are to be had. */
  async gather(connections) {
    this.#timer = setInterval(() => this.#drip(), DRIP_MS)
    for (let begun = 0; begun < connections; begun += LOT) {
      for (let i = begun; i < Math.min(begun + LOT, connections); i++) this.#connect()
      await pause(LOT_MS)
    }
    for (const end = performance.now() + BUILD_UP_MS; performance.now() < end && this.#open < connections * 0.98; )
      await pause(50)
  }

  /** Resets all connections. */
  async disperse() {
    this.#closing = true
    clearInterval(this.#timer)
    const gone = [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of this.#sockets) socket.resetAndDestroy()
    await Promise.all(gone)
  }

  #connect() {
    if (this.#closing) return
    const onread = this.#attack.reads === 'nothing' ? { buffer: Buffer.alloc(SIP), callback: () => false } : undefined
    const socket = connect({ host: '127.0.0.1', port: this.#port, localAddress: ADDRESS, noDelay: true, onread })
    let established = false
    this.#sockets.add(socket)
    socket.once('connect', () => {
      established = true
      this.#open++
      socket.write(this.#attack.opening)
    })
    // Received data is discarded.
    if (onread === undefined) socket.resume()
    socket.on('error', () => undefined)
    socket.once('close', () => {
      this.#sockets.delete(socket)
      if (established) this.#open--
      if (this.#closing) return
      this.#again++
      setTimeout(() => this.#connect(), AGAIN_MS).unref()
    })
  }

  #drip() {
    const { drip, reads } = this.#attack
    for (const socket of this.#sockets) {
      if (reads === 'nothing') socket.resume()
      if (drip !== '' && socket.writable && !socket.connecting) socket.write(drip)
    }
  }
}
