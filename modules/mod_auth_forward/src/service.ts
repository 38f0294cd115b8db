import { type ClientRequest, Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** A field as a name and a value. */
export type FieldPair = readonly [name: string, value: string]

/** The answer of the service, without its body. */
export interface ServiceAnswer {
  readonly status: number
  /** In their order, repeated ones too. */
  readonly fields: readonly FieldPair[]
}

/** How much of an answer's fields is read, in bytes. */
const LONGEST_HEAD = 32 * 1024
/** Connections to one service that are in use at once; more requests wait for them, within their time. */
const MOST_CONNECTIONS = 256
const KEPT_CONNECTIONS = 16

/** The HTTP client of this module. It follows no redirect, and its connections are kept. */
export class Service {
  readonly #plain = new HttpAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS, maxFreeSockets: KEPT_CONNECTIONS })
  readonly #secured = new HttpsAgent({ keepAlive: true, maxSockets: MOST_CONNECTIONS, maxFreeSockets: KEPT_CONNECTIONS })

  /**
   * Asks the service.
   * @param timeout milliseconds for everything, the wait for a connection too
   * @throws Error if there is no complete head of an answer in time
   */
  ask(url: URL, fields: readonly FieldPair[], timeout: number): Promise<ServiceAnswer> {
    return new Promise((resolve, reject) => {
      let asked: ClientRequest | null = null
      const timer = setTimeout(() => {
        reject(new Error(`the service did not answer within ${timeout / 1_000} s`))
        asked?.destroy()
      }, timeout)
      const answered = (response: IncomingMessage): void => {
        // The time is also that of a body, which would keep the connection if it never came.
        response.once('close', () => clearTimeout(timer))
        // The body is of no use. A short one is read, so that the connection can be used again.
        response.on('error', () => {})
        const isShort = response.statusCode === 204 || Number(response.headers['content-length'] ?? Number.NaN) <= LONGEST_HEAD
        if (isShort) response.resume()
        else response.destroy()
        resolve({ status: response.statusCode ?? 0, fields: pairs(response.rawHeaders) })
      }
      const options = {
        method: 'GET',
        agent: url.protocol === 'https:' ? this.#secured : this.#plain,
        headers: fields.flat(),
        setHost: false,
        maxHeaderSize: LONGEST_HEAD,
      }
      try {
        asked = url.protocol === 'https:' ? httpsRequest(url, options, answered) : httpRequest(url, options, answered)
        asked.on('error', (error) => {
          clearTimeout(timer)
          reject(error)
        })
        // An answer that changes the protocol is none.
        asked.on('upgrade', (_response, socket) => {
          clearTimeout(timer)
          socket.destroy()
          reject(new Error('the service changed the protocol'))
        })
        asked.end()
      } catch (error) {
        clearTimeout(timer)
        reject(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }

  /** Closes all connections. */
  end(): void {
    this.#plain.destroy()
    this.#secured.destroy()
  }
}

function pairs(raw: readonly string[]): readonly FieldPair[] {
  const found: FieldPair[] = []
  for (let index = 0; index + 1 < raw.length; index += 2) found.push([raw[index], raw[index + 1]])
  return found
}
