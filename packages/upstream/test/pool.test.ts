import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { Collected, exchange, getRequest, start } from './collected.ts'
import { answering, backend, poolFor } from './raw-server.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** Waits until a condition holds. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

t.test('a kept connection serves the next exchange', async (t) => {
  const server = await answering(OK)
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  for (let i = 0; i < 3; i++) t.match(await exchange(pool), { body: 'ok', ended: true })
  t.equal(server.sockets.length, 1)
  t.match(pool.figures, { open: 1, idle: 1, opened: 1, reused: 2, exchanges: 3, errors: 0 })
  t.equal(
    pool.figures.latency.reduce((sum, count) => sum + count),
    3,
  )
})

t.test('a connection is closed after one exchange if it may not be used again', async (t) => {
  const closing = 'HTTP/1.1 200 OK\r\nConnection: X, close\r\nContent-Length: 2\r\n\r\nok'
  const old = 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'
  const both = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n'
  const more = `${OK}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`
  for (const [answer, reuse] of [
    [OK, false],
    [closing, true],
    [old, true],
    [both, true],
    [more, true],
  ] as const) {
    const server = await answering(answer)
    const pool = poolFor(server.port, { reuse })
    for (let i = 0; i < 2; i++) t.match(await exchange(pool), { body: 'ok', ended: true }, answer)
    t.equal(server.sockets.length, 2)
    t.match(pool.figures, { idle: 0, open: 0 })
    pool.close()
    await server.close()
  }
})

t.test('a connection that the backend closes while it is idle is not used again', async (t) => {
  const server = await answering(OK)
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  await exchange(pool)
  server.sockets[0].end()
  await until(() => pool.figures.open === 0)
  t.match(pool.figures, { retired: 1, idle: 0 })
  t.match(await exchange(pool), { body: 'ok' })
  t.equal(server.sockets.length, 2)
})

t.test('a response that nobody asked for ends an idle connection', async (t) => {
  const server = await answering(OK)
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  await exchange(pool)
  server.sockets[0].write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil')
  await until(() => pool.figures.open === 0)
  t.match(await exchange(pool), { body: 'ok' })
})

t.test('an end that has arrived is noticed before a connection idle for long is used', async (t) => {
  const server = await answering(OK)
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  await exchange(pool)
  await new Promise((resolve) => setTimeout(resolve, 150))
  const closed = new Promise((resolve) => server.sockets[0].once('close', resolve))
  server.sockets[0].destroy()
  // The event of the backend's side comes first; the pool has not read the end yet, or just now.
  await closed
  t.match(await exchange(pool), { body: 'ok', error: null })
})

t.test('a kept connection that closes on the request is reported as such', async (t) => {
  let requests = 0
  const server = await answering(() => (++requests === 1 ? OK : null))
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  await exchange(pool)
  const collected = start(pool)
  await until(() => requests === 2)
  server.sockets[0].destroy()
  t.match((await collected.done).error, { code: 'closed-early', kept: true, received: 0 })
  t.match(pool.figures, { errors: 1 })
})

t.test('no more connections than max are opened, and those who wait are served in turn', async (t) => {
  const server = await answering(OK)
  t.teardown(() => server.close())
  const pool = poolFor(server.port, { max: 2 })
  t.teardown(() => pool.close())
  const all = Array.from({ length: 10 }, () => start(pool))
  t.match(pool.figures, { connecting: 2, waiting: 8 })
  for (const { done } of all) t.match(await done, { body: 'ok' })
  t.equal(server.sockets.length, 2)
})

t.test('those who wait are served after connections that failed or closed', async (t) => {
  let requests = 0
  const server = await backend((socket) => {
    socket.on('data', () => {
      requests++
      socket.destroy()
    })
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port, { max: 1 })
  t.teardown(() => pool.close())
  const all = Array.from({ length: 3 }, () => start(pool))
  for (const { done } of all) t.equal((await done).error?.code, 'closed-early')
  t.equal(requests, 3)
})

t.test('a full queue and a wait that is too long are refused', async (t) => {
  const server = await backend(() => {})
  t.teardown(() => server.close())
  const pool = poolFor(server.port, { max: 1, queue: 1, acquireTimeout: 50 })
  t.teardown(() => pool.close())
  start(pool)
  const second = start(pool)
  const third = await start(pool).done
  t.equal(third.error?.code, 'queue-full')
  t.equal((await second.done).error?.code, 'acquire-timeout')
  t.match(pool.figures, { waiting: 0 })
})

t.test('one who gives up waiting is not called', async (t) => {
  let answer = (): void => {}
  const server = await backend((socket) => {
    answer = () => socket.write(OK)
    socket.resume()
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port, { max: 1 })
  t.teardown(() => pool.close())
  const first = start(pool)
  const giveUp = pool.acquire({ onConnection: () => t.fail('called'), onError: () => t.fail('called') })
  const last = start(pool)
  giveUp()
  await until(() => server.sockets.length === 1 && first.exchange !== null)
  answer()
  t.match(await first.done, { body: 'ok' })
  await until(() => last.exchange !== null)
  answer()
  t.match(await last.done, { body: 'ok' })
})

t.test('a refused connection, a missing socket file and a slow backend have their codes', async (t) => {
  const server = await answering(OK)
  await server.close()
  const refused = poolFor(server.port)
  t.match((await exchange(refused)).error, { code: 'refused', cause: { code: 'ECONNREFUSED' } })
  t.match(refused.figures, { failed: 1, open: 0, connecting: 0 })
  const missing = poolFor(0, { target: { path: `${tmpdir()}/no-such-${process.pid}.sock` } })
  t.match((await exchange(missing)).error, { code: 'unreachable', cause: { code: 'ENOENT' } })
  const silent = await backend(() => {})
  t.teardown(() => silent.close())
  const logged: (Error | null)[] = []
  const tls = { key: '', options: () => ({}), check: () => null, failed: (cause: Error | null) => void logged.push(cause) }
  const slow = poolFor(silent.port, { tls, connectTimeout: 50 })
  t.match((await exchange(slow)).error, { code: 'tls', detail: 'timeout' })
  t.same(logged, [null])
  const unknown = poolFor(0, { target: { host: 'name.invalid', port: 80 } })
  t.equal((await exchange(unknown)).error?.code, 'resolve')
})

t.test('a socket of the file system serves as a target', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'backend.sock')
  const server = createServer((socket) => socket.once('data', () => socket.write(OK)))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const pool = poolFor(0, { target: { path } })
  t.match(await exchange(pool), { body: 'ok' })
  pool.close()
  server.close()
})

t.test('idle connections are closed after ttl, except for those to keep', async (t) => {
  const server = await answering(OK)
  t.teardown(() => server.close())
  const pool = poolFor(server.port, { ttl: 40, smax: 0, min: 1 })
  t.teardown(() => pool.close())
  await Promise.all([start(pool).done, start(pool).done, start(pool).done])
  t.match(pool.figures, { idle: 3 })
  await until(() => pool.figures.idle === 1)
  t.match(pool.figures, { open: 1, retired: 2 })
})

t.test('a connection idle for longer than ttl is not used again', async (t) => {
  const server = await answering(OK)
  t.teardown(() => server.close())
  const pool = poolFor(server.port, { ttl: 30, smax: 10 })
  t.teardown(() => pool.close())
  await exchange(pool)
  await new Promise((resolve) => setTimeout(resolve, 60))
  t.match(await exchange(pool), { body: 'ok' })
  t.equal(server.sockets.length, 2)
})

t.test('draining lets exchanges finish and closes the rest', async (t) => {
  let answer = (): void => {}
  const server = await backend((socket) => {
    answer = () => socket.write(OK)
    socket.resume()
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  const collected = start(pool)
  await until(() => collected.exchange !== null)
  await until(() => server.sockets.length === 1)
  let drained = false
  pool.drain(() => {
    drained = true
  })
  t.equal(drained, false)
  answer()
  t.match(await collected.done, { body: 'ok' })
  await until(() => drained)
  t.match(pool.figures, { open: 0 })
})

t.test('closing a pool ends what waits, connects and runs', async (t) => {
  const server = await backend(() => {})
  t.teardown(() => server.close())
  const pool = poolFor(server.port, { max: 2 })
  const running = start(pool)
  await until(() => running.exchange !== null)
  const connecting = start(pool)
  const waiting = start(pool)
  pool.close()
  t.equal((await running.done).error?.code, 'closed-early')
  t.equal((await connecting.done).error?.code, 'unreachable')
  t.equal((await waiting.done).error?.code, 'acquire-timeout')
})

t.test('a fresh connection can be asked for', async (t) => {
  const server = await answering(OK)
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  await exchange(pool)
  let uses = -1
  const collected = new Collected()
  const { HttpClientExchange } = await import('../src/index.ts')
  pool.acquire(
    {
      onConnection(connection) {
        uses = connection.uses
        collected.exchange = new HttpClientExchange(connection, getRequest(), collected)
      },
      onError: (error) => collected.onError(error),
    },
    'fresh',
  )
  t.match(await collected.done, { body: 'ok' })
  t.equal(uses, 0)
  t.equal(server.sockets.length, 2)
})
