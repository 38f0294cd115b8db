/** Connections to backends outlive the processes that opened them when the server is loaded again. */
import { Agent, createServer, request, type Server } from 'node:http'
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const PASSED_ON = 'a former process passed on its connection to '

/** A backend that answers each request with its path and the number of the connection. */
async function startBackend(t: Test, socket: string): Promise<Server> {
  const numbers = new WeakMap<Socket, number>()
  let count = 0
  const server = createServer((asked, response) => {
    const text = `${asked.url} ${numbers.get(asked.socket)}`
    setTimeout(() => response.end(text), text.length % 5)
  })
  server.on('connection', (connection) => numbers.set(connection, ++count))
  server.keepAliveTimeout = 0
  // The server may run as another user.
  await new Promise<void>((resolve) => server.listen({ path: socket, writableAll: true, readableAll: true }, resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

async function served(t: Test, workers: number): Promise<StagedServer> {
  const server = await StagedServer.make(t)
  const socket = server.path('backend.sock')
  await startBackend(t, socket)
  server.configure(
    `WorkerProcesses ${workers}`,
    ...['authz_core', 'proxy', 'proxy_http'].map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    'LogLevel proxy_http:debug',
    `ProxyPass "/" "unix:${socket}|http://backend/"`,
  )
  await server.start()
  return server
}

const passedOn = (server: StagedServer): number => server.errors().filter((line) => line.includes(PASSED_ON)).length

async function connectionOf(server: StagedServer): Promise<number> {
  const { body } = await server.get('/which')
  return Number(/^\/which (\d+)$/.exec(body)?.[1])
}

t.test('a request after a reload uses the connection of the process before it', async (t) => {
  const server = await served(t, 1)
  const before = await connectionOf(server)
  for (let reload = 1; reload <= 3; reload++) {
    server.signal('SIGUSR1')
    await until('the connection is passed on', () => passedOn(server) === reload)
    t.equal(await connectionOf(server), before)
  }
})

t.test('clients get their own responses while connections are passed on by reload after reload', async (t) => {
  const server = await served(t, 2)
  const wrong: string[] = []
  const used = new Set<number>()
  let isOver = false
  let requests = 0
  const clients = Array.from({ length: 6 }, async (_, client) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let count = 0; !isOver; count++) {
      const path = `/${client}/${count}`
      const answer = await ask(agent, server.port, path)
      const [, own, connection] = /^200 (\S+) (\d+)$/.exec(answer) ?? []
      if (own === path) used.add(Number(connection))
      else wrong.push(`${path}: ${answer}`)
      requests++
    }
    agent.destroy()
  })
  for (let reload = 1; reload <= 3; reload++) {
    const [answered, passed] = [requests, passedOn(server)]
    await until('all clients are served', () => requests > answered + 60)
    server.signal('SIGUSR1')
    await until('a connection is passed on', () => passedOn(server) > passed)
  }
  isOver = true
  await Promise.all(clients)
  t.strictSame(wrong, [])
  t.ok(used.size < requests, 'connections were used again')
})

function ask(agent: Agent, port: number, path: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = request({ agent, host: '127.0.0.1', port, path }, (answer) => {
      let body = ''
      answer.setEncoding('latin1').on('data', (chunk: string) => {
        body += chunk
      })
      answer.on('end', () => resolve(`${answer.statusCode} ${body}`))
      answer.on('error', (error) => resolve(`cut: ${error.message}`))
    })
    asked.on('error', (error) => resolve(`lost: ${error.message}`))
    asked.end()
  })
}
