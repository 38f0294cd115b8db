import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { ConnectionHeir, ModuleLog } from '@gatewright/api'
import t, { type Test } from 'tap'
import { UpstreamConnection, UpstreamError, USUAL_IDLE, WorkerPools } from '../src/index.ts'
import type { InheritingServices } from '../src/inherited-connections.ts'
import { type Backend, backend } from './raw-server.ts'

const SETTINGS = { settings: { timeout: 60_000 }, request: { whenGone: () => () => undefined } }

/** The pools of a process, with what it passes on and what it logs. */
class Process {
  readonly pools: WorkerPools = new WorkerPools(USUAL_IDLE)
  readonly passed: { readonly socket: Socket; readonly label: string }[] = []
  readonly lines: string[] = []
  heir: ConnectionHeir | null = null

  constructor(t: Test, names: Readonly<Record<string, readonly string[]>> = {}) {
    const services: InheritingServices = {
      inheritConnections: (_, heir) => {
        this.heir = heir
        return (socket, label) => void this.passed.push({ socket, label })
      },
      addressesOf: async (name) => names[name] ?? [],
    }
    const log: ModuleLog = {
      enabled: () => true,
      write: (_subject, _level, _code, text) => void this.lines.push(text),
      about: () => {
        throw new Error('not used')
      },
    }
    this.pools.inherit(services, 'mod_x.c', log)
    t.teardown(() => {
      this.pools.close()
      for (const { socket } of this.passed) socket.destroy()
    })
  }

  async connection(worker: { readonly parameters: object }, port: number, host = '127.0.0.1'): Promise<UpstreamConnection> {
    const result = await this.pools.connect({ ...SETTINGS, worker }, { host, port }, true)
    if (result instanceof UpstreamError) throw result
    return result
  }
}

async function listening(t: Test, serve: (socket: Socket) => void = () => undefined): Promise<Backend> {
  const server = await backend(serve)
  t.teardown(() => server.close())
  return server
}

/** A connection that nobody has read, as a process has it from another. */
async function unread(t: Test, { port }: Backend): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }).pause()
  t.teardown(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const label = (port: number, { host = '127.0.0.1', idle = 1 } = {}): string => `${idle} ${JSON.stringify({ host, port })}`

t.test('a process that leaves passes its idle connections on, and busy ones when they are free', async (t) => {
  const server = await listening(t)
  const old = new Process(t)
  const worker = { parameters: {} }
  const [idle, busy] = [await old.connection(worker, server.port), await old.connection(worker, server.port)]
  const single = await old.pools.connect({ ...SETTINGS, worker }, { host: '127.0.0.1', port: server.port }, false)
  idle.release()
  t.equal(old.passed.length, 0)
  old.heir?.onLeave()
  t.strictSame(
    old.passed.map(({ socket }) => socket),
    [idle.socket],
  )
  t.match(old.passed[0]?.label, new RegExp(`^\\d+ \\{"host":"127.0.0.1","port":${server.port}\\}$`))
  busy.release()
  if (single instanceof UpstreamConnection) single.release()
  const late = await old.connection({ parameters: {} }, server.port)
  late.release()
  t.strictSame(
    old.passed.map(({ socket }) => socket),
    [idle.socket, busy.socket, late.socket],
  )
  t.match(old.pools.connections(worker), { open: 0, idle: 0 })
})

t.test('a request that waits for a connection gets one before those that follow the process', async (t) => {
  const server = await listening(t)
  const old = new Process(t)
  const worker = { parameters: { max: 1 } }
  const first = await old.connection(worker, server.port)
  const second = old.connection(worker, server.port)
  old.heir?.onLeave()
  first.release()
  t.equal(await second, first)
  t.equal(old.passed.length, 0)
})

t.test('a connection with something to send is closed instead of passed on', async (t) => {
  const server = await listening(t, (socket) => void socket.pause())
  const old = new Process(t)
  const connection = await old.connection({ parameters: {} }, server.port)
  old.heir?.onLeave()
  while (connection.write(Buffer.alloc(1_000_000)));
  connection.release()
  t.equal(old.passed.length, 0)
  t.equal(connection.closed, true)
})

t.test('a connection of a former process serves the next request for its backend', async (t) => {
  const server = await listening(t)
  const next = new Process(t)
  const [early, late] = [await unread(t, server), await unread(t, server)]
  const worker = { parameters: {} }
  next.heir?.onConnection(early, label(server.port))
  early.resume()
  await until(() => next.lines.length === 1)
  t.equal((await next.connection(worker, server.port)).socket, early)
  next.heir?.onConnection(late, label(server.port))
  late.resume()
  await until(() => next.lines.length === 2)
  const connection = await next.connection(worker, server.port)
  t.equal(connection.socket, late)
  t.ok(connection.uses > 0, 'a request may be repeated as on any other kept connection')
  t.equal(server.sockets.length, 2)
  t.strictSame(
    next.lines,
    Array.from({ length: 2 }, () => `a former process passed on its connection to 127.0.0.1:${server.port}`),
  )
})

t.test('a connection that was idle for too long in both processes together is not used', async (t) => {
  const server = await listening(t)
  const next = new Process(t)
  const socket = await unread(t, server)
  next.heir?.onConnection(socket, label(server.port, { idle: USUAL_IDLE.ttl }))
  socket.resume()
  await until(() => next.lines.length === 1)
  t.not((await next.connection({ parameters: {} }, server.port)).socket, socket)
})

t.test('a connection on which something has arrived, or that has ended, is not used', async (t) => {
  for (const act of [(socket: Socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n'), (socket: Socket) => void socket.end()]) {
    const server = await listening(t, act)
    const next = new Process(t)
    const socket = await unread(t, server)
    await until(() => (server.sockets[0]?.bytesWritten ?? 0) > 0 || server.sockets[0]?.writableFinished === true)
    next.heir?.onConnection(socket, label(server.port))
    socket.resume()
    await until(() => socket.destroyed)
    t.not((await next.connection({ parameters: {} }, server.port)).socket, socket)
    t.strictSame(next.lines, [])
  }
})

t.test('a connection that leads to another place than it is said to is closed', async (t) => {
  const server = await listening(t)
  const next = new Process(t, { 'new.example': ['127.0.0.2'], 'same.example': ['127.0.0.2', '127.0.0.1'] })
  const wrong = [
    label(server.port + 1),
    label(server.port, { host: '127.0.0.2' }),
    label(server.port, { host: 'new.example' }),
    '1 {"path":"/run/backend"}',
    '1 {"port":1}',
    '{}',
    'x',
  ]
  for (const text of wrong) {
    const socket = await unread(t, server)
    next.heir?.onConnection(socket, text)
    await until(() => socket.destroyed)
  }
  t.strictSame(next.lines, [])
  next.heir?.onConnection(await unread(t, server), label(server.port, { host: 'same.example' }))
  await until(() => next.lines.length === 1)
})

t.test('a worker takes no more connections than its limit', async (t) => {
  const server = await listening(t)
  const next = new Process(t)
  const sockets = [await unread(t, server), await unread(t, server), await unread(t, server)]
  for (const socket of sockets) {
    next.heir?.onConnection(socket, label(server.port))
    socket.resume()
  }
  await until(() => next.lines.length === 3)
  const worker = { parameters: { max: 2 } }
  const used = await next.connection(worker, server.port)
  t.match(next.pools.connections(worker), { open: 2, idle: 1, opened: 0 })
  t.equal(sockets.filter(({ destroyed }) => destroyed).length, 1)
  const fourth = await unread(t, server)
  next.heir?.onConnection(fourth, label(server.port))
  t.equal(fourth.destroyed, true)
  used.destroy()
})
