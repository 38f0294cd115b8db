import type { Socket } from 'node:net'
import { setTimeout as later } from 'node:timers'
import { TLSSocket } from 'node:tls'
import { type Answer, AnswerReader, type Expectation } from './answer-reader.ts'
import type { Approach } from './approach.ts'
import type { FailureKind, Place } from './failure.ts'
import type { Resource, Upload } from './resource.ts'
import type { Tally } from './tally.ts'

/** A request without any byte from the server for so long (ms) has failed. */
const PATIENCE = 120_000

/** Whether a client reads as fast as it can, or a block every few milliseconds. */
export type Appetite = 'hungry' | 'slow'
const SLOW_READ = 8

/** `close`: the client announces in each request that it is the last one. */
export type Persistence = 'keep' | 'close'

export interface ConnectionOptions {
  readonly approach: Approach
  readonly tally: Tally
  readonly appetite: Appetite
  readonly persistence: Persistence
  /** Called once, when nothing more can be sent on it. */
  readonly onOver: (connection: ClientConnection) => void
}

interface Pending extends Expectation {
  readonly place: Place
  readonly idle: number
}

/** One connection of a client. Each of its requests is counted exactly once. */
export class ClientConnection {
  /** The process that serves it, null before its first answer. */
  worker: number | null = null
  readonly #options: ConnectionOptions
  readonly #socket: Socket
  readonly #reader = new AnswerReader()
  readonly #pending: Pending[] = []
  #asked = 0
  #idleSince = performance.now()
  #connected = false
  #secured = false
  #over = false
  #error: NodeJS.ErrnoException | null = null
  #settled: () => void = () => undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    options.tally.connections++
    this.#socket = options.approach.open()
    this.#socket.setTimeout(PATIENCE, () => this.#giveUp('timed out', `${PATIENCE} ms`))
    this.#socket.on('connect', () => {
      this.#connected = true
    })
    this.#socket.on('secureConnect', () => {
      this.#secured = true
    })
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', (error) => {
      this.#error = error
    })
    this.#socket.on('end', () => this.#ended())
    this.#socket.on('close', () => this.#ended())
  }

  /** Whether nothing more can be sent on it. */
  get over(): boolean {
    return this.#over
  }

  /** Requests that were sent and are neither answered nor failed. */
  get underWay(): number {
    return this.#pending.length
  }

  /** Sends requests with one write, but for bodies, which follow in pieces. Resolves when all of them are answered or have failed. */
  send(resources: readonly Resource[]): Promise<void> {
    const field = this.#options.persistence === 'close' ? 'Connection: close\r\n' : ''
    const idle = performance.now() - this.#idleSince
    let text = ''
    for (const resource of resources) {
      const id = this.#options.tally.begin(this.worker)
      this.#pending.push({ id, resource, place: this.#asked++ === 0 ? 'first' : 'later', idle })
      text += `${requestLine(resource, id)}\r\nHost: ${this.#options.approach.host}\r\n${field}${resource.fields ?? ''}${lengthField(resource)}\r\n`
    }
    this.#socket.write(text)
    const [{ upload }] = resources
    if (upload !== undefined) this.#upload(upload, upload.pieces)
    return new Promise((resolve) => {
      this.#settled = resolve
    })
  }

  /** Announces that no more requests follow. */
  end(): void {
    this.#leave()
    this.#socket.end()
  }

  #upload(upload: Upload, pieces: number): void {
    if (pieces === 0 || this.#over) return
    this.#socket.write(upload.piece)
    later(() => this.#upload(upload, pieces - 1), upload.every)
  }

  #read(chunk: Buffer): void {
    if (this.#options.appetite === 'slow') {
      this.#socket.pause()
      later(() => this.#socket.resume(), SLOW_READ)
    }
    let bytes = chunk
    while (bytes.length > 0) {
      const [first] = this.#pending
      if (first === undefined) {
        this.#options.tally.strayBytes++
        return
      }
      const read = this.#reader.read(bytes, first)
      if (read === null) return
      if (typeof read === 'string') {
        this.#giveUp('malformed answer', read)
        return
      }
      bytes = read.rest
      this.#take(first, read.answer)
    }
  }

  #take(request: Pending, { fault, close, worker }: Answer): void {
    this.#pending.shift()
    this.worker = worker ?? this.worker
    if (fault === null) this.#options.tally.succeed(request.id, this.worker)
    else this.#fail(request, fault.kind, fault.detail)
    if (close) {
      for (const dropped of this.#pending.splice(0)) this.#fail(dropped, 'dropped behind Connection: close', '')
      this.end()
    }
    if (this.#pending.length > 0) return
    this.#idleSince = performance.now()
    this.#settled()
  }

  #ended(): void {
    const code = this.#error?.code ?? ''
    if (!this.#over && this.#pending.length === 0) this.#options.tally.endedWhileIdle++
    this.#leave()
    for (const request of this.#pending.splice(0)) {
      this.#fail(request, this.#kindOfEnd(code, this.#reader.insideAnswer), code || (this.#error?.message ?? ''))
      this.#reader.abandon()
    }
    this.#settled()
  }

  #kindOfEnd(code: string, insideAnswer: boolean): FailureKind {
    if (this.#socket instanceof TLSSocket && !this.#secured && code !== 'ECONNREFUSED') return 'handshake failed'
    if (!this.#connected && !this.#secured) return code === 'ECONNREFUSED' ? 'connect refused' : 'connect failed'
    if (code === '') return insideAnswer ? 'closed in the answer' : 'closed without answer'
    return insideAnswer ? 'reset in the answer' : 'reset before the first byte'
  }

  #giveUp(kind: FailureKind, detail: string): void {
    for (const request of this.#pending.splice(0)) this.#fail(request, kind, detail)
    this.#leave()
    this.#socket.destroy()
    this.#settled()
  }

  #fail({ id, place, idle }: Pending, kind: FailureKind, detail: string): void {
    this.#options.tally.fail({ id, kind, place, worker: this.worker, idle, detail })
  }

  #leave(): void {
    if (this.#over) return
    this.#over = true
    this.#options.onOver(this)
  }
}

function requestLine({ path, upload }: Resource, id: number): string {
  return `${upload === undefined ? 'GET' : 'POST'} ${path}?${id} HTTP/1.1`
}

function lengthField({ upload }: Resource): string {
  return upload === undefined ? '' : `Content-Length: ${upload.piece.length * upload.pieces}\r\n`
}
