import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import t from 'tap'
import { bindSocket } from '../packages/mpm/src/sockets/bind-socket.ts'
import { FakeManager } from './fixtures/fake-manager.ts'
import { childrenOf } from './fixtures/processes.ts'
import { canConnect, MODULES, StagedServer } from './fixtures/staged-server.ts'
import { until } from './fixtures/until.ts'

const HTTPD = join(import.meta.dirname, '../dist/bin/httpd')

t.test('a service manager is notified when the server serves, reloads its configuration, and stops', async (t) => {
  const server = await StagedServer.make(t)
  server.configure()
  const manager = new FakeManager(server)
  const told = (): string[] => manager.told()
  const pid = await server.startWith(manager.variables)
  await until('readiness is told', () => told().length === 1)
  t.equal(told()[0], `/run/test/notify READY=1 MAINPID=${pid} STATUS=configuration 0 serves with 1 worker`)

  server.configure('WorkerProcesses 2')
  server.signal('SIGUSR1')
  await until('the reload is told', () => told().length === 3)
  t.strictSame(told().slice(1), [
    '/run/test/notify RELOADING=1',
    `/run/test/notify READY=1 MAINPID=${pid} STATUS=configuration 1 serves with 2 workers`,
  ])

  server.configure('NoSuchDirective on')
  server.signal('SIGUSR1')
  await until('the refusal is told', () => told().length === 5)
  t.match(
    told()[4],
    /READY=1 .* STATUS=configuration 1 serves with 2 workers; a new one was rejected: AH00526: Syntax error on line \d+/,
  )

  await server.stop()
  await until('the stop is told', () => told().length === 6)
  t.equal(told()[5], '/run/test/notify STOPPING=1')
})

t.test('the server ends after its manager was notified of the stop, also if notifications take long', async (t) => {
  const server = await StagedServer.make(t)
  server.configure()
  const manager = new FakeManager(server, 0.5)
  await server.startWith(manager.variables)
  await until('readiness is reported', () => manager.told().length === 1)
  server.configure('NoSuchDirective on')
  server.signal('SIGUSR1')
  await until('the reload is reported', () => manager.told().length === 2)
  await server.stop()
  t.equal(manager.told().at(-1), '/run/test/notify STOPPING=1')
})

t.test('sockets that the server was started with are served, and outlive it', async (t) => {
  const server = await StagedServer.make(t)
  server.configure(
    'WorkerProcesses 2',
    `LoadModule authz_core_module ${MODULES}/mod_authz_core.so`,
    '<Location />',
    'Require all granted',
    '</Location>',
  )
  server.file('htdocs/index.html', 'by an inherited socket')
  const bound = bindSocket({ address: '127.0.0.1', port: server.port }, 'alone')
  if ('errno' in bound) throw new Error(`errno ${bound.errno}`)
  const { socket } = bound
  t.teardown(() => socket.close())

  const start = async (): Promise<ChildProcess> => {
    const command = `unset NODE_OPTIONS; LISTEN_FDS=1 LISTEN_PID=$$ exec "${HTTPD}" -D FOREGROUND -d "${server.root}"`
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'inherit', 'inherit', socket.fd] })
    t.teardown(() => child.kill('SIGKILL'))
    await server.accepting()
    t.equal((await server.get('/index.html')).body, 'by an inherited socket')
    return child
  }
  const first = await start()
  t.equal(childrenOf(first.pid ?? 0).length, 2)
  const ended = once(first, 'exit')
  first.kill('SIGTERM')
  t.strictSame(await ended, [0, null])
  t.ok(await canConnect(server.port), 'a connection waits for the next server')
  const second = await start()
  second.kill('SIGTERM')
  await once(second, 'exit')
})
