import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { MODULES, StagedServer } from '../fixtures/staged-server.ts'

const CLIENTS = 12
/** How many requests are answered before and after each step. */
const REQUESTS = 150

/** A backend that is stopped gracefully, and started again on its port. */
class BackEnd {
  readonly #name: string
  #server: Server | null = null
  port = 0

  constructor(name: string) {
    this.#name = name
  }

  async start(): Promise<void> {
    const server = createServer((incoming, response) => {
      let length = 0
      incoming.on('data', (chunk: Buffer) => (length += chunk.length))
      incoming.on('end', () => setTimeout(() => response.end(`${this.#name} ${incoming.method} ${length}`), 2))
    })
    this.#server = server
    await new Promise<void>((resolve) => void server.listen(this.port, '127.0.0.1', resolve))
    this.port = (server.address() as AddressInfo).port
  }

  /** Requests in progress are answered; idle connections are closed. */
  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    if (server === null) return
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeIdleConnections()
    })
  }
}

/** Clients that send GET and POST without a pause. */
class Load {
  readonly #port: number
  readonly #agent = new Agent({ keepAlive: true })
  readonly failures: string[] = []
  readonly byBackEnd = new Map<string, number>()
  answered = 0
  #ends = false
  #clients: readonly Promise<void>[] = []

  constructor(port: number) {
    this.#port = port
  }

  start(): void {
    this.#clients = Array.from({ length: CLIENTS }, async (_client, number) => {
      for (let count = number; !this.#ends; count++) await this.#send(count % 3 === 0 ? 'POST' : 'GET')
    })
  }

  async stop(): Promise<void> {
    this.#ends = true
    await Promise.all(this.#clients)
    this.#agent.destroy()
  }

  /** Waits until so many more requests were answered. */
  async more(count: number): Promise<void> {
    const goal = this.answered + count
    while (this.answered < goal) await wait(5)
  }

  #send(method: 'GET' | 'POST'): Promise<void> {
    return new Promise((resolve) => {
      const body = method === 'POST' ? 'x'.repeat(5_000) : ''
      const headers = { Host: 'localhost', ...(body === '' ? {} : { 'Content-Length': body.length }) }
      const sent = request(
        { port: this.#port, host: '127.0.0.1', path: '/app/x', method, headers, agent: this.#agent },
        (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('close', () => {
            this.answered++
            const [name = ''] = text.split(' ')
            if (response.statusCode !== 200 || !text.endsWith(` ${method} ${body.length}`)) {
              this.failures.push(`${method} ${response.statusCode} ${text.slice(0, 200)}`)
            } else this.byBackEnd.set(name, (this.byBackEnd.get(name) ?? 0) + 1)
            resolve()
          })
        },
      )
      sent.on('error', (error) => {
        this.answered++
        this.failures.push(`${method} ${error.message}`)
        resolve()
      })
      sent.end(body)
    })
  }
}

const NEEDED = ['authz_core', 'proxy', 'proxy_http', 'slotmem_shm', 'lbmethod_byrequests', 'proxy_balancer']

async function balanced(
  t: Test,
  memberParameters: string,
): Promise<{ server: StagedServer; backEnds: readonly BackEnd[]; load: Load }> {
  const backEnds = [new BackEnd('one'), new BackEnd('two')]
  for (const backEnd of backEnds) await backEnd.start()
  const server = await StagedServer.make(t)
  server.configure(
    'WorkerProcesses 2',
    ...NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    '<Proxy balancer://app>',
    ...backEnds.map(({ port }) => `BalancerMember http://127.0.0.1:${port} ${memberParameters}`),
    'ProxySet nonce=known',
    '</Proxy>',
    'ProxyPass /app balancer://app',
    '<Location "/manager">',
    'SetHandler balancer-manager',
    '</Location>',
  )
  await server.start()
  const load = new Load(server.port)
  t.teardown(async () => {
    await load.stop()
    for (const backEnd of backEnds) await backEnd.stop()
  })
  load.start()
  return { server, backEnds, load }
}

t.test('backends that are restarted one after the other lose no request, because refused ones are tried elsewhere', async (t) => {
  const { backEnds, load } = await balanced(t, 'retry=1 disablereuse=on')
  await load.more(REQUESTS)
  for (const backEnd of backEnds) {
    await backEnd.stop()
    await load.more(REQUESTS)
    await backEnd.start()
    // Until the member is tried again.
    await wait(1_500)
    await load.more(REQUESTS)
  }
  await load.stop()
  // A connection that the system accepted for a backend that stops listening is reset: such a request may have been served.
  const reset = load.failures.filter((text) => / 502 /.test(text))
  t.strictSame(
    load.failures.filter((text) => !reset.includes(text)),
    [],
  )
  t.ok(reset.length <= 2 * CLIENTS, `${reset.length} were reset`)
  t.ok(load.answered > REQUESTS * 5)
  t.strictSame([...load.byBackEnd.keys()].sort(), ['one', 'two'])
})

t.test('a member that the manager disables gets no request from any process, and serves again when it is enabled', async (t) => {
  const { server, backEnds, load } = await balanced(t, 'retry=1')
  await load.more(REQUESTS)
  for (const backEnd of backEnds) {
    await switched(server, backEnd, true)
    // What is in progress ends, and the other process learns of it.
    await wait(500)
    await backEnd.stop()
    await load.more(REQUESTS)
    await backEnd.start()
    await switched(server, backEnd, false)
    await load.more(REQUESTS)
  }
  const before = new Map(load.byBackEnd)
  await load.more(REQUESTS)
  await load.stop()
  t.strictSame(load.failures, [])
  for (const name of ['one', 'two']) t.ok((load.byBackEnd.get(name) ?? 0) > (before.get(name) ?? 0), `${name} serves`)
})

async function switched(server: StagedServer, { port }: BackEnd, disabled: boolean): Promise<void> {
  const form = `b=app&w=http://127.0.0.1:${port}&nonce=known&w_status_D=${disabled ? 1 : 0}`
  const url = `http://localhost:${server.port}/manager`
  const answer = await fetch(url, {
    method: 'POST',
    headers: { Referer: url, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form,
  })
  if (answer.status !== 200) throw new Error(`the manager answered ${answer.status}`)
  await answer.text()
}
