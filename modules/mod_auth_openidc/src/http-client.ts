import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** The largest document that is read, in bytes. */
const LONGEST = 256 * 1024
const LONGEST_HEAD = 32 * 1024
const MOST_CONNECTIONS = 64

/** What a request of the library contains. */
export interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Milliseconds for everything. */
  readonly timeout: number
}

/** The settings of a server for its requests. */
export interface ClientSettings {
  readonly validateTls: boolean
  /** Certificates of authorities in PEM; undefined for those of Node. */
  readonly ca: string | undefined
}

/** Sends requests to a provider. Redirects are not followed, because nobody has named their targets. */
export class HttpClient {
  readonly #plain = new HttpAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS })
  readonly #secured: HttpsAgent
  readonly settings: ClientSettings

  constructor(settings: ClientSettings) {
    this.settings = settings
    const { validateTls, ca } = settings
    this.#secured = new HttpsAgent({
      keepAlive: true,
      maxSockets: MOST_CONNECTIONS,
      rejectUnauthorized: validateTls,
      ...(ca !== undefined && { ca }),
    })
  }

  /** @throws Error if there is no complete response in time, or a too long one */
  send(url: URL, { method = 'GET', headers = {}, body, timeout }: Asked): Promise<Response> {
    const secured = url.protocol === 'https:'
    if (!secured && !mayBePlain(url, this.settings)) {
      return Promise.reject(new Error(`${url.href} must begin with https://`))
    }
    return new Promise((resolve, reject) => {
      let asked: ClientRequest | null = null
      const timer = setTimeout(() => fail(new Error(`${url.origin} did not answer within ${timeout / 1_000} s`)), timeout)
      function fail(error: Error): void {
        clearTimeout(timer)
        reject(error)
        asked?.destroy()
      }
      const answered = (message: IncomingMessage): void => {
        readAll(message).then(
          (bytes) => {
            clearTimeout(timer)
            resolve(responseOf(message, bytes))
          },
          (error: unknown) => fail(error instanceof Error ? error : new Error(String(error))),
        )
      }
      const options = {
        method,
        headers: {
          ...headers,
          'user-agent': 'mod_auth_openidc',
          ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
        },
        agent: secured ? this.#secured : this.#plain,
        maxHeaderSize: LONGEST_HEAD,
      }
      asked = secured ? httpsRequest(url, options, answered) : httpRequest(url, options, answered)
      asked.on('error', fail)
      asked.on('upgrade', (_message, socket) => {
        socket.destroy()
        fail(new Error(`${url.origin} changed the protocol`))
      })
      asked.end(body)
    })
  }

  /** Closes all connections. */
  end(): void {
    this.#plain.destroy()
    this.#secured.destroy()
  }
}

async function readAll(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > LONGEST) throw new Error(`a response is longer than ${LONGEST} bytes`)
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function responseOf({ statusCode = 0, headers }: IncomingMessage, bytes: Buffer): Response {
  // A Response cannot have other statuses, nor a body with these.
  if (statusCode < 200 || statusCode > 599) throw new Error(`a response has the status ${statusCode}`)
  const fields = new Headers()
  for (const [name, value] of Object.entries(headers)) if (typeof value === 'string') fields.set(name, value)
  const hasBody = statusCode !== 204 && statusCode !== 205 && statusCode !== 304
  return new Response(hasBody ? Uint8Array.from(bytes) : null, { status: statusCode, headers: fields })
}

/**
 * Without TLS, an attacker on the network could replace keys or read secrets; on this machine there is none, and
 * OIDCSSLValidateServer Off means that the network is trusted.
 */
export function mayBePlain(url: URL, { validateTls }: Pick<ClientSettings, 'validateTls'>): boolean {
  return !validateTls || /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}
