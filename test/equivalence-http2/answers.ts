import { Agent, request as http1Request } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import type { PlainRequest } from './random-request.ts'

/** What a client sees of a response. */
export interface Answer {
  readonly status: number
  /** Names in lower case, in the order of their names; those of the connection and the date are left out. */
  readonly fields: readonly string[]
  readonly body: string
}

/** Fields that belong to one protocol, or to the moment. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'date', 'content-length'],
])

/** Asks the same server by both protocols, on one connection each. */
export class BothClients {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })
  #session: ClientHttp2Session

  constructor(port: number) {
    this.#port = port
    this.#session = this.#open()
  }

  close(): void {
    this.#agent.destroy()
    this.#session.destroy()
  }

  http1({ method, target, host, fields, body }: PlainRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers: Record<string, string> = { host }
      for (const [name, value] of fields) headers[name] = value
      if (body !== null) headers['content-length'] = String(body.length)
      const asked = http1Request(
        { host: '127.0.0.1', port: this.#port, method, path: target, headers, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => resolve(answerOf(response.statusCode ?? 0, pairsOf(response.rawHeaders), chunks)))
        },
      )
      asked.on('error', reject)
      asked.end(body ?? undefined)
    })
  }

  http2({ method, target, host, fields, body }: PlainRequest): Promise<Answer> {
    if (this.#session.destroyed || this.#session.closed) this.#session = this.#open()
    return new Promise((resolve, reject) => {
      const head: Record<string, string> = { ':method': method, ':path': target, ':authority': host, ':scheme': 'http' }
      for (const [name, value] of fields) head[name] = value
      if (body !== null) head['content-length'] = String(body.length)
      const stream = this.#session.request(head, { endStream: body === null })
      let status = 0
      let received: [string, string][] = []
      const chunks: Buffer[] = []
      stream.on('response', (response, _flags, raw) => {
        status = Number(response[':status'])
        received = pairsOf(raw).filter(([name]) => !name.startsWith(':'))
      })
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('error', reject)
      stream.on('close', () => resolve(answerOf(status, received, chunks)))
      if (body !== null) stream.end(body)
    })
  }

  #open(): ClientHttp2Session {
    const session = connect(`http://127.0.0.1:${this.#port}`)
    session.on('error', () => {})
    return session
  }
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = []
  for (let i = 0; i < raw.length; i += 2) pairs.push([raw[i].toLowerCase(), raw[i + 1]])
  return pairs
}

function answerOf(status: number, pairs: readonly [string, string][], chunks: readonly Buffer[]): Answer {
  const fields = pairs.filter(([name]) => !LEFT_OUT.has(name)).map(([name, value]) => `${name}: ${value}`)
  return { status, fields: fields.sort(), body: Buffer.concat(chunks).toString('latin1') }
}
