import { type ClientHttp2Session, connect } from 'node:http2'
import { until } from '../fixtures/until.ts'
import type { Way } from './h2-adversary.ts'

/** A client, Node's, which asks for a small file again and again on one connection. */
export class OrdinaryClient {
  served = 0
  /** What was not served, in words. */
  readonly failures: string[] = []
  #isOver = false
  readonly #session: ClientHttp2Session
  readonly #work: Promise<void>

  constructor(port: number, way: Way) {
    const scheme = way === 'tls' ? 'https' : 'http'
    this.#session = connect(`${scheme}://127.0.0.1:${port}`, { rejectUnauthorized: false })
    this.#session.on('error', (error) => this.failures.push(error.message))
    this.#session.on('goaway', () => this.failures.push('GOAWAY'))
    this.#work = this.#visit()
  }

  /** Waits until a request that is sent from now on was answered. */
  async servedAgain(): Promise<void> {
    // The next answer may be that of a request that is under way.
    const wanted = this.served + 2
    await until('the ordinary client was served', () => this.served >= wanted || this.failures.length > 0)
  }

  async leave(): Promise<void> {
    this.#isOver = true
    await this.#work
    this.#session.destroy()
  }

  async #visit(): Promise<void> {
    while (!this.#isOver && this.failures.length === 0) {
      const answer = await this.#ask()
      if (answer === '200 small\n') this.served++
      else this.failures.push(answer)
    }
  }

  #ask(): Promise<string> {
    return new Promise((resolve) => {
      const stream = this.#session.request({ ':path': '/small.txt', ':authority': 'localhost' })
      let text = ''
      stream.setEncoding('latin1')
      stream.on('response', (fields) => (text += `${fields[':status']} `))
      stream.on('data', (part: string) => (text += part))
      stream.on('error', (error) => (text += error.message))
      stream.on('close', () => resolve(text))
    })
  }
}
