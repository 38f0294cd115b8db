import type { Agent } from 'node:http'
import { request } from 'node:http'
import type { Random } from '../fixtures/random.ts'
import { TEXTS } from './expression-words.ts'

/** A request, the same for both servers. */
export interface Visit {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

/** A random request for the page of a folder. */
export function randomVisit(random: Random, folder: string): Visit {
  const headers: Record<string, string> = { Host: random.pick(['oracle.example', 'oracle.example:8080', 'other.example']) }
  for (const name of ['X-A', 'X-B', 'X-Num', 'Accept', 'User-Agent', 'Cookie', 'Referer', 'Forwarded']) {
    if (random.percent(50)) headers[name] = random.pick(TEXTS).trim()
  }
  if (random.percent(25)) headers['Authorization'] = `Basic ${btoa(random.pick(['alice:secret', 'alice:wrong', 'bob:secret']))}`
  const query = random.pick(['', '', '?one=1&two=2', '?', '?a%20b=%27%22'])
  return {
    method: random.pick(['GET', 'GET', 'HEAD', 'POST']),
    path: `/${folder}/page.html${random.pick(['', '', '/more%20path'])}${query}`,
    headers,
  }
}

export function visit(agent: Agent, address: string, port: number, { method, path, headers }: Visit): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: address, port, method, path, headers, agent, setHost: false }, (answer) => {
      answer.resume()
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers }))
      answer.on('error', reject)
    })
    asked.on('error', reject)
    asked.setTimeout(20_000, () => asked.destroy(new Error('no answer in 20 s')))
    asked.end()
  })
}
