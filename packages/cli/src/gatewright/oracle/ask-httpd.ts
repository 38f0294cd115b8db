import { Agent, request } from 'node:http'
import type { Answer, Question } from '@gatewright/policy'
import type { LocalPlaces } from './local-places.ts'

/** The field with the client's address. */
export const CLIENT_FIELD = 'X-Gatewright-Client'
/** The password of every known user. */
export const PASSWORD = 'gatewright-oracle'

const PATIENCE = 20_000

/** Sends requests to one httpd, over connections that stay open. */
export class HttpdClient {
  readonly #places: LocalPlaces
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 })

  constructor(places: LocalPlaces) {
    this.#places = places
  }

  /** @throws the system's error if no response arrives */
  ask(question: Question): Promise<Answer> {
    const { method, target, host, localAddress, localPort, client, headers } = question
    const place = { host: this.#places.address(localAddress), port: this.#places.port(localPort) }
    const fields = { Host: host, [CLIENT_FIELD]: client, ...Object.fromEntries(headers), ...authorization(question) }
    return new Promise((resolve, reject) => {
      const asked = request({ ...place, method, path: target, headers: fields, agent: this.#agent, setHost: false }, (answer) => {
        answer.resume()
        answer.once('error', reject)
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, challenge: answer.headers['www-authenticate'] ?? '' }))
      })
      asked.once('error', reject)
      asked.setTimeout(PATIENCE, () => asked.destroy(new Error(`no answer to ${method} ${target} in ${PATIENCE / 1000} s`)))
      asked.end()
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}

function authorization({ credentials }: Question): Record<string, string> {
  if (credentials === null) return {}
  const pair = `${credentials.user}:${credentials.password ?? PASSWORD}`
  return { Authorization: `Basic ${Buffer.from(pair, 'latin1').toString('base64')}` }
}
