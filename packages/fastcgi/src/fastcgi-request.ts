import type { UpstreamConnection } from '@gatewright/upstream'
import { nameValuesText } from './name-values.ts'
import { CONTENT_MAX, HEADER_SIZE, RECORD, recordsText, recordText, writeHeader } from './record.ts'

/** A request to an application. */
export interface FastcgiRequest {
  /** What the application is asked for; a responder if absent. An authorizer gets no body, and no record that ends one. */
  readonly role?: 'responder' | 'authorizer'
  /** `raw`: the listener gets all output as data, with its head, and no onHead. */
  readonly output?: 'head' | 'raw'
  /** Names and values, latin1, in the order in which they are sent. */
  readonly params: Iterable<readonly [name: string, value: string]>
  /** Whether the responder leaves the connection open. */
  readonly keepConnection: boolean
  /** The whole body; null if there is none, or if `write` follows. */
  readonly body: Buffer | null
  /** Whether `write` follows. */
  readonly streams: boolean
  /** Time without progress, in ms; 0 = no limit. */
  readonly timeout: number
}

/** Numbers of the roles (section 8). */
const ROLES = { responder: 1, authorizer: 2 } as const
const KEEP_CONNECTION = 1
/** The number of every request: a connection has one at a time. */
export const REQUEST_ID = 1

/** Sends one request, and its body as it comes. */
export class FastcgiRequestWriter {
  ended: boolean
  bytesSent: number
  readonly #connection: UpstreamConnection

  constructor(connection: UpstreamConnection, request: FastcgiRequest) {
    this.#connection = connection
    const { role = 'responder', body } = request
    this.ended = !request.streams
    this.bytesSent = 0
    const isWhole = this.ended && role === 'responder'
    const content = String.fromCharCode(0, ROLES[role], request.keepConnection ? KEEP_CONNECTION : 0, 0, 0, 0, 0, 0)
    // A text, because Node makes one of many pieces in far less time than a buffer.
    const head =
      recordText(RECORD.beginRequest, REQUEST_ID, content) +
      recordsText(RECORD.params, REQUEST_ID, nameValuesText(request.params)) +
      END_OF_PARAMS
    if (body === null) {
      this.#write(isWhole ? head + END_OF_STDIN : head)
      return
    }
    connection.cork()
    this.#write(head)
    this.#stream(RECORD.stdin, body)
    if (isWhole) this.#write(END_OF_STDIN)
    connection.uncork()
  }

  /** Returns false if the caller should wait until everything is sent. */
  write(chunk: Buffer): boolean {
    this.#connection.cork()
    const taken = this.#stream(RECORD.stdin, chunk)
    this.#connection.uncork()
    return taken
  }

  end(): void {
    if (this.ended) return
    this.ended = true
    this.#write(END_OF_STDIN)
  }

  /** Sends bytes in as many records as they need. */
  #stream(type: number, bytes: Buffer): boolean {
    let taken = true
    for (let at = 0; at < bytes.length; at += CONTENT_MAX) {
      const content = bytes.subarray(at, at + CONTENT_MAX)
      const header = Buffer.allocUnsafe(HEADER_SIZE)
      writeHeader(header, 0, type, REQUEST_ID, content.length)
      this.#write(header)
      taken = this.#write(content)
    }
    return taken
  }

  #write(bytes: Buffer | string): boolean {
    this.bytesSent += bytes.length
    return this.#connection.write(bytes)
  }
}

const END_OF_PARAMS = recordText(RECORD.params, REQUEST_ID, '')
const END_OF_STDIN = recordText(RECORD.stdin, REQUEST_ID, '')
