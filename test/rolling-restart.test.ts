/** Backends of a balancer restart one after another under load, and no request is lost. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { gatewright } from './fixtures/gatewright.ts'
import { MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const NEEDED = ['authz_core', 'proxy', 'proxy_http', 'slotmem_shm', 'lbmethod_byrequests', 'proxy_balancer']
const BACKEND = join(import.meta.dirname, 'fixtures/echo-back-end.mjs')
const CLIENTS = 6

/** A backend in a process of its own, which can be killed and started again. */
class Backend {
  readonly socket: string
  #child: ChildProcess | null = null

  constructor(socket: string) {
    this.socket = socket
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  async start(): Promise<void> {
    rmSync(this.socket, { force: true })
    const child = spawn('env', ['-u', 'NODE_OPTIONS', process.execPath, BACKEND, this.socket], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#child = child
    await once(child.stdout, 'data')
  }

  async kill(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

/** What clients got that send request after request. */
class Load {
  /** Answers by the process of the backend. */
  readonly served = new Map<number, number>()
  readonly lost: string[] = []
  #isOver = false
  #clients: readonly Promise<void>[] = []

  start(port: number): void {
    this.#clients = Array.from({ length: CLIENTS }, (_, client) => this.#run(port, client))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#clients)
  }

  async #run(port: number, client: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let count = client; !this.#isOver; count++) {
      const length = count % 3 === 0 ? 0 : (count * 911) % 40_000
      const method = length === 0 ? 'GET' : 'POST'
      const answer = await send(agent, port, method, length)
      const [, pid] = /^200 (\d+) /.exec(answer) ?? []
      if (pid === undefined || !answer.endsWith(` ${method} ${length}`)) this.lost.push(`${method} of ${length} bytes: ${answer}`)
      else this.served.set(Number(pid), (this.served.get(Number(pid)) ?? 0) + 1)
    }
    agent.destroy()
  }
}

function send(agent: Agent, port: number, method: string, length: number): Promise<string> {
  return new Promise((resolve) => {
    const asked = request(
      { agent, host: '127.0.0.1', port, method, path: '/app/', headers: { 'Content-Length': length } },
      (answer) => {
        let body = ''
        answer.setEncoding('latin1').on('data', (chunk: string) => {
          body += chunk
        })
        answer.on('end', () => resolve(`${answer.statusCode} ${body}`))
        answer.on('error', (error) => resolve(`cut: ${error.message}`))
      },
    )
    asked.on('error', (error) => resolve(`lost: ${error.message}`))
    asked.end(Buffer.alloc(length))
  })
}

async function served(t: Test): Promise<{ readonly server: StagedServer; readonly backends: readonly Backend[] }> {
  const server = await StagedServer.make(t)
  const backends = ['one', 'two'].map((name) => new Backend(server.path(`${name}.sock`)))
  t.teardown(async () => {
    for (const backend of backends) await backend.kill()
  })
  for (const backend of backends) await backend.start()
  server.configure(
    'WorkerProcesses 2',
    ...NEEDED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.mjs`),
    '<Proxy "balancer://app">',
    ...backends.map(({ socket }, index) => `BalancerMember "unix:${socket}|http://member${index + 1}" route=${index + 1}`),
    '</Proxy>',
    'ProxyPass "/app" "balancer://app"',
  )
  await server.start()
  return { server, backends }
}

t.test('no request is lost while backends that were taken out of service are killed and started again', async (t) => {
  const { server, backends } = await served(t)
  const load = new Load()
  load.start(server.port)
  const more = async (pid: number): Promise<void> => {
    const before = load.served.get(pid) ?? 0
    await until('the backend serves', () => (load.served.get(pid) ?? 0) > before + CLIENTS)
  }
  for (const [index, backend] of backends.entries()) {
    const [own, other] = [backend.pid, backends[1 - index].pid]
    await more(own)
    const disabled = await gatewright(['balancer', '-d', server.root, 'disable', '--wait', '600', 'app', String(index + 1)])
    t.equal(disabled.status, 0, disabled.stderr)
    await backend.kill()
    await more(other)
    await backend.start()
    t.equal((await gatewright(['balancer', '-d', server.root, 'enable', 'app', String(index + 1)])).status, 0)
    await more(backend.pid)
  }
  await load.stop()
  t.strictSame(load.lost, [])
  t.equal(load.served.size, 4, 'each backend was started twice, and served each time')
})
