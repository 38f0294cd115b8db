import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { MalformedMessage } from './ber.ts'
import { MessageSplitter } from './message-splitter.ts'
import {
  abandonRequest,
  bindRequest,
  compareRequest,
  type LdapEntry,
  type LdapResult,
  message,
  OPERATION,
  parseEntry,
  parseMessage,
  parseReference,
  parseResult,
  type Received,
  type SearchRequest,
  searchRequest,
  startTlsRequest,
  unbindRequest,
} from './messages.ts'
import { RESULT } from './result-codes.ts'

/** The largest message that a server may send, in bytes: an entry with all its values. */
const LARGEST_MESSAGE = 32 * 1024 * 1024
/** Message ids begin again at 1 after this one, RFC 4511 section 4.1.1.1. */
const LAST_ID = 0x7fffffff

/** Where a connection leads. Times are in milliseconds, 0 for no limit. */
export interface LdapEndpoint {
  readonly host: string
  readonly port: number
  /** For the TCP connection, and once more for the handshake of TLS. */
  readonly connectTimeout: number
  /** Options of `tls.connect` if TLS is spoken at once; null for a connection in the clear. */
  readonly tls: ConnectionOptions | null
  /** Called when an operation was not answered in time, and the server has sent nothing on the connection at all. */
  onSilence?(): void
}

/** What a search has found. */
export interface SearchResult extends LdapResult {
  /** The first entries, as many as were to be kept. */
  readonly entries: readonly LdapEntry[]
  /** How many entries there were. */
  readonly count: number
  /** Lists of URLs where the search continues. */
  readonly references: readonly (readonly string[])[]
}

/** A failure that is not the server's answer. */
export function failed(code: number, text = ''): LdapResult {
  return { code, message: text, referrals: [] }
}

/** Receives the messages that answer a request. */
interface Pending {
  /** Returns true after the last one. @throws MalformedMessage */
  received(message: Received): boolean
  failed(result: LdapResult): void
}

/** A connection to a directory server. Operations report failures by their result; none throws or rejects. */
export class LdapConnection {
  #socket: Socket
  readonly #endpoint: LdapEndpoint
  readonly #pending = new Map<number, Pending>()
  #splitter = new MessageSplitter(LARGEST_MESSAGE)
  #lastId = 0
  #isOpen = true
  /** The server has sent a message. */
  #hasHeard = false

  private constructor(socket: Socket, endpoint: LdapEndpoint) {
    this.#socket = socket
    this.#endpoint = endpoint
    this.#listen(socket)
  }

  /** Opens a connection. */
  static async open(endpoint: LdapEndpoint): Promise<LdapConnection | LdapResult> {
    const { host, port, connectTimeout, tls } = endpoint
    const tcp = connectTcp({ host, port, noDelay: true, keepAlive: true })
    const failure = await settled(tcp, 'connect', connectTimeout)
    if (failure !== null) return notOpened(failure)
    if (tls === null) return new LdapConnection(tcp, endpoint)
    const secured = await secure(tcp, host, tls, connectTimeout)
    return typeof secured === 'string' ? notOpened(secured) : new LdapConnection(secured, endpoint)
  }

  /** False once it is closed, by either side. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Lets the process end although the connection is open; an operation prevents it again until it ends. */
  unref(): void {
    this.#socket.unref()
  }

  ref(): void {
    this.#socket.ref()
  }

  /** Authenticates with a name and a password; both empty for nobody. The connection has no user if it fails. */
  async bind(dn: string, password: string, timeout: number): Promise<LdapResult> {
    return this.#ask(bindRequest(dn, password), OPERATION.bindResponse, timeout)
  }

  async compare(dn: string, attribute: string, value: string, timeout: number): Promise<LdapResult> {
    return this.#ask(compareRequest(dn, attribute, value), OPERATION.compareResponse, timeout)
  }

  /** @param keep how many entries to keep; the others are counted only */
  async search(search: SearchRequest, keep: number, timeout: number): Promise<SearchResult> {
    const entries: LdapEntry[] = []
    const references: string[][] = []
    let count = 0
    const result = await this.#request(searchRequest(search), timeout, ({ operation, content }) => {
      switch (operation) {
        case OPERATION.searchEntry:
          if (count++ < keep) entries.push(parseEntry(content))
          return null
        case OPERATION.searchReference:
          if (references.length < MOST_REFERENCES) references.push(parseReference(content))
          return null
        case OPERATION.searchDone:
          return parseResult(content)
        default:
          throw new MalformedMessage(`operation ${operation} in answer to a search`)
      }
    })
    return { ...result, entries, count, references }
  }

  /** Secures the connection (STARTTLS). After a failure it is closed. */
  async startTls(tls: ConnectionOptions, timeout: number): Promise<LdapResult> {
    const answer = await this.#ask(startTlsRequest(), OPERATION.extendedResponse, timeout)
    if (answer.code !== RESULT.success) {
      this.close()
      return answer
    }
    // What came in the clear after the answer is not the server's, or must not count as such.
    const plain = this.#socket
    if (this.#splitter.isInside || this.#pending.size > 0) {
      this.close()
      return failed(RESULT.connectError, 'data in the clear after STARTTLS')
    }
    plain.removeAllListeners()
    const secured = await secure(plain, this.#endpoint.host, tls, timeout)
    if (typeof secured === 'string') {
      this.#isOpen = false
      return failed(RESULT.connectError, secured)
    }
    this.#socket = secured
    this.#splitter = new MessageSplitter(LARGEST_MESSAGE)
    this.#listen(secured)
    return answer
  }

  /** Ends the connection. Operations in progress fail. */
  close(): void {
    if (this.#isOpen) this.#socket.end(message(this.#nextId(), unbindRequest()))
    this.#fail(failed(RESULT.serverDown, 'the connection was closed'))
  }

  async #ask(operation: Uint8Array, answer: number, timeout: number): Promise<LdapResult> {
    return this.#request(operation, timeout, (received) => {
      if (received.operation === answer) return parseResult(received.content)
      throw new MalformedMessage(`operation ${received.operation} where ${answer} belongs`)
    })
  }

  /** @param receive the result, or null if more messages follow */
  #request(operation: Uint8Array, timeout: number, receive: (received: Received) => LdapResult | null): Promise<LdapResult> {
    if (!this.#isOpen) return Promise.resolve(failed(RESULT.serverDown, 'the connection is closed'))
    return new Promise((resolve) => {
      const id = this.#nextId()
      const timer = timeout > 0 ? setTimeout(() => this.#timedOut(id), timeout) : null
      const end = (result: LdapResult): void => {
        if (timer !== null) clearTimeout(timer)
        resolve(result)
      }
      this.#pending.set(id, {
        received: (received) => {
          const result = receive(received)
          if (result !== null) end(result)
          return result !== null
        },
        failed: end,
      })
      this.#socket.write(message(id, operation))
    })
  }

  #nextId(): number {
    this.#lastId = this.#lastId >= LAST_ID ? 1 : this.#lastId + 1
    return this.#lastId
  }

  #listen(socket: Socket): void {
    socket.on('data', (bytes: Buffer) => this.#receive(bytes))
    socket.on('error', (error) => this.#fail(failed(RESULT.serverDown, error.message)))
    socket.on('end', () => this.#fail(failed(RESULT.serverDown, 'the server closed the connection')))
    socket.on('close', () => this.#fail(failed(RESULT.serverDown, 'the connection was closed')))
  }

  #receive(bytes: Buffer): void {
    try {
      for (const whole of this.#splitter.push(bytes)) {
        const received = parseMessage(whole)
        this.#hasHeard = true
        // The server says that it is about to close the connection, RFC 4511 section 4.4.1.
        if (received.id === 0) return this.#fail(failed(RESULT.serverDown, 'the server ended the connection'))
        // Answers to abandoned requests have nobody to go to.
        if (this.#pending.get(received.id)?.received(received) === true) this.#pending.delete(received.id)
      }
    } catch (error) {
      if (!(error instanceof Error)) throw error
      this.#fail(failed(RESULT.serverDown, error.message))
    }
  }

  /** After a silent server nothing on the connection can be relied on, so it is closed. */
  #timedOut(id: number): void {
    const request = this.#pending.get(id)
    if (request === undefined) return
    this.#pending.delete(id)
    if (!this.#hasHeard) this.#endpoint.onSilence?.()
    if (this.#isOpen) this.#socket.write(message(this.#nextId(), abandonRequest(id)))
    request.failed(failed(RESULT.timeout, 'no answer in time'))
    this.#fail(failed(RESULT.serverDown, 'the server did not answer in time'))
  }

  #fail(result: LdapResult): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#socket.destroySoon()
    const waiting = [...this.#pending.values()]
    this.#pending.clear()
    for (const request of waiting) request.failed(result)
  }
}

const TIMED_OUT = 'timed out'

/** A server that keeps silent is distinguished from one that refuses. */
function notOpened(failure: string): LdapResult {
  return failed(failure === TIMED_OUT ? RESULT.timeout : RESULT.serverDown, failure)
}

/** More continuations than any sensible directory has are dropped. */
const MOST_REFERENCES = 1000

/** Waits for an event of a socket. @returns what failed, after destroying the socket, or null */
function settled(socket: Socket, event: 'connect' | 'secureConnect', timeout: number): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = timeout > 0 ? setTimeout(() => end(TIMED_OUT), timeout) : null
    const onError = (error: Error): void => end(error.message)
    const onClose = (): void => end('the server closed the connection')
    const onEvent = (): void => end(null)
    const end = (failure: string | null): void => {
      if (timer !== null) clearTimeout(timer)
      socket.off(event, onEvent).off('close', onClose).off('error', onError)
      if (failure !== null) {
        // Later errors of a socket that nobody uses must not end the process.
        socket.on('error', () => undefined)
        socket.destroy()
      }
      resolve(failure)
    }
    socket.on(event, onEvent).on('close', onClose).on('error', onError)
  })
}

async function secure(socket: Socket, host: string, options: ConnectionOptions, timeout: number): Promise<Socket | string> {
  try {
    const secured = connectTls({ host, ...options, socket })
    // A failure is reported by the outer socket.
    socket.on('error', () => undefined)
    const failure = await settled(secured, 'secureConnect', timeout)
    if (failure === null) return secured
    socket.destroy()
    return failure
  } catch (error) {
    // A certificate or key that cannot be used.
    socket.destroy()
    return error instanceof Error ? error.message : String(error)
  }
}
