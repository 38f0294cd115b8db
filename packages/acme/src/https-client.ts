import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import type { Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { AcmeFailure } from './acme-failure.ts'
import { connectThrough } from './proxy-tunnel.ts'

/** Milliseconds that one exchange may take. */
const TIME_LIMIT = 30_000
/** Bytes of the largest answer that is read: a chain of certificates is the longest. */
const SIZE_LIMIT = 512 * 1024
const MAX_HEADER = 16 * 1024

/** An HTTP proxy (MDHttpProxy). */
export interface ProxyOptions {
  /** `http://` or `https://`. */
  readonly url: string
  /** PEM of the authorities for an https proxy; the usual ones if absent. */
  readonly authorities?: string
}

/** How CAs are reached. */
export interface ExchangeOptions {
  /** PEM of the authorities that the CA's own certificate must come from; the usual ones if absent. */
  readonly authorities?: string
  readonly proxy?: ProxyOptions
  /** `Gatewright`, the first word of User-Agent. */
  readonly product: string
}

/** An answer that was read whole. */
export interface Reply {
  readonly status: number
  readonly url: string
  /** A header field, '' when the answer does not have it. */
  field(name: string): string
  readonly body: string
}

/** What is sent. */
export interface Message {
  readonly method: 'GET' | 'HEAD' | 'POST'
  readonly url: string
  /** The body of a POST, of type application/jose+json. */
  readonly body?: string
}

/** One HTTPS exchange at a time with limits on its time and size. It follows no redirects, and speaks no plain HTTP. */
export class HttpsClient {
  readonly #options: ExchangeOptions
  readonly #agent: Agent

  constructor(options: ExchangeOptions) {
    this.#options = options
    const ca = options.authorities === undefined ? [...rootCertificates] : options.authorities
    this.#agent = new Agent({ keepAlive: options.proxy === undefined, maxSockets: 1, ca, minVersion: 'TLSv1.2' })
  }

  close(): void {
    this.#agent.destroy()
  }

  /** @throws AcmeFailure when there is no answer, or one that is too long */
  async exchange({ method, url, body }: Message): Promise<Reply> {
    const target = httpsUrl(url)
    const { proxy, product } = this.#options
    const tunnel = proxy === undefined ? undefined : await this.#tunnel(proxy, target)
    const options: RequestOptions = {
      method,
      agent: this.#agent,
      maxHeaderSize: MAX_HEADER,
      headers: {
        'User-Agent': `${product} acme-client`,
        'Accept-Language': 'en',
        ...(body !== undefined && { 'Content-Type': 'application/jose+json', 'Content-Length': Buffer.byteLength(body) }),
      },
      ...(tunnel !== undefined && { createConnection: () => tunnel, agent: undefined }),
    }
    return await new Promise((resolve, reject) => {
      const refuse = (reason: string): void => reject(unreachable(url, reason))
      const sent = httpsRequest(target, options, (answer) => {
        readWhole(answer, url, refuse).then((reply) => {
          clearTimeout(timer)
          if (reply !== null) resolve(reply)
        }, refuse)
      })
      const timer = setTimeout(() => sent.destroy(new Error(`no answer within ${TIME_LIMIT / 1000} s`)), TIME_LIMIT)
      sent.on('error', (error) => {
        clearTimeout(timer)
        tunnel?.destroy()
        refuse(error.message)
      })
      sent.end(body)
    })
  }

  async #tunnel(proxy: ProxyOptions, target: URL): Promise<Socket> {
    const authorities = this.#options.authorities ?? [...rootCertificates]
    try {
      return await connectThrough({ proxy, target, authorities, timeLimit: TIME_LIMIT, request: { httpRequest, httpsRequest } })
    } catch (error) {
      throw unreachable(target.href, error instanceof Error ? error.message : String(error))
    }
  }
}

function httpsUrl(url: string): URL {
  const parsed = URL.parse(url)
  if (parsed?.protocol === 'https:' && parsed.username === '' && parsed.password === '') return parsed
  throw new AcmeFailure(`${url}: a CA must be addressed by an https: URL`)
}

async function readWhole(answer: IncomingMessage, url: string, refuse: (reason: string) => void): Promise<Reply | null> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of answer) {
    const bytes: Buffer = part
    size += bytes.length
    if (size > SIZE_LIMIT) {
      answer.destroy()
      refuse(`the answer is longer than ${SIZE_LIMIT} bytes`)
      return null
    }
    parts.push(bytes)
  }
  const field = (name: string): string => {
    const value = answer.headers[name.toLowerCase()]
    return typeof value === 'string' ? value : (value?.[0] ?? '')
  }
  return { status: answer.statusCode ?? 0, url, field, body: Buffer.concat(parts).toString('utf8') }
}

function unreachable(url: string, reason: string): AcmeFailure {
  return new AcmeFailure(
    `Unsuccessful in contacting ACME server at <${url}>. If this problem persists, please check your network connectivity from your Apache server to the ACME server. Also, older servers might have trouble verifying the certificates of the ACME server. You can check if you are able to contact it manually via the curl command. Sometimes, the ACME server might be down for maintenance, so failing to contact it is not an immediate problem. Apache will continue retrying this. (${reason})`,
  )
}
