import { Agent, request as http1Request, type OutgoingHttpHeaders } from 'node:http'
import { type Answer, sortedFields } from './answer.ts'
import type { Field, PlannedRequest } from './requests.ts'

/** Sends requests one by one on one connection. */
export class Http1Client {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(port: number) {
    this.#port = port
  }

  close(): void {
    this.#agent.destroy()
  }

  answer({ method, path, fields, body, statesLength, trailers }: PlannedRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers: OutgoingHttpHeaders = { host: 'localhost' }
      for (const [name, value] of fields) headers[name] = value
      const whole = body === null ? null : body.join('')
      if (whole !== null && statesLength) headers['content-length'] = whole.length
      else if (whole !== null) headers['transfer-encoding'] = 'chunked'
      const asked = http1Request(
        { host: '127.0.0.1', port: this.#port, method, path, headers, agent: this.#agent },
        (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              fields: sortedFields(pairsOf(response.rawHeaders)),
              body: Buffer.concat(chunks).toString('latin1'),
              trailers: sortedFields(pairsOf(response.rawTrailers)),
            }),
          )
        },
      )
      asked.on('error', reject)
      if (trailers.length > 0) asked.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]))
      for (const part of body ?? []) asked.write(part, 'latin1')
      asked.end()
    })
  }
}

function pairsOf(raw: readonly string[]): Field[] {
  const pairs: Field[] = []
  for (let i = 0; i < raw.length; i += 2) pairs.push([raw[i].toLowerCase(), raw[i + 1]])
  return pairs
}
