import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModuleLog } from '@gatewright/api'
import { hasMemcached, hasRedis, memcachedStore, redisStore } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { type KeyValueServer, memcacheServer, RemoteServers, redisServer, StoreTroubles } from '../src/index.ts'

t.setTimeout(600_000)

/** The longest that an answer takes (ms); only a failure exceeds it. */
const LIMIT = 30_000

/** A log that keeps its lines. */
function logOf(lines: string[]): ModuleLog {
  const about = {
    error: () => undefined,
    warn: () => undefined,
    notice: () => undefined,
    info: () => undefined,
    debug: () => undefined,
  }
  return { enabled: () => true, write: (_subject, level, _code, text) => lines.push(`${level} ${text}`), about: () => about }
}

const KINDS = [
  { name: 'Redis', isInstalled: hasRedis(), start: redisStore, client: redisServer },
  { name: 'memcached', isInstalled: hasMemcached(), start: memcachedStore, client: memcacheServer },
]

for (const { name, isInstalled, start, client } of KINDS) {
  const skip = isInstalled ? false : `${name} is not installed`
  t.test(`${name} keeps bytes of any kind by keys of any kind, for a time`, { skip }, async (t) => {
    const server = await start()
    t.teardown(() => server.close())
    const path = server.address.slice('unix:'.length)
    const one = new RemoteServers([client({ path }, LIMIT)], new StoreTroubles(logOf([])))
    const other = new RemoteServers([client({ path }, LIMIT)], new StoreTroubles(logOf([])))
    t.teardown(() => one.close())
    t.teardown(() => other.close())
    const store = one.store('a')
    const keys = ['key', '', 'with blank', 'line\r\nset x 0 0 1', '\u20ac', 'x'.repeat(5_000), '\0']
    for (const key of keys) {
      t.equal(await store.get(key), undefined)
      store.set(key, Buffer.from([0, 13, 10, 255]), 60_000)
      t.same(await store.get(key), Buffer.from([0, 13, 10, 255]), JSON.stringify(key).slice(0, 30))
      t.same(await other.store('a').get(key), Buffer.from([0, 13, 10, 255]), 'another machine sees it')
      t.equal(await other.store('b').get(key), undefined, 'another purpose does not')
      store.delete(key)
      t.equal(await store.get(key), undefined)
    }
    const large = Buffer.alloc(500_000, 7)
    store.set('large', large, 60_000)
    t.same(await store.get('large'), large)
    store.set('empty', Buffer.alloc(0), 60_000)
    t.same(await store.get('empty'), Buffer.alloc(0))
    store.set('brief', Buffer.from('x'), 1_000)
    await until(async () => (await store.get('brief')) === undefined)
  })

  t.test(`while ${name} is away, nothing is found, nothing fails, and one line is logged`, { skip }, async (t) => {
    const server = await start()
    t.teardown(() => server.close())
    const lines: string[] = []
    const servers = new RemoteServers(
      [client({ path: server.address.slice('unix:'.length) }, LIMIT)],
      new StoreTroubles(logOf(lines)),
    )
    t.teardown(() => servers.close())
    const store = servers.store('a')
    store.set('k', Buffer.from('v'), 60_000)
    t.same(await store.get('k'), Buffer.from('v'))
    await server.stop()
    for (let count = 0; count < 20; count++) {
      store.set('k', Buffer.from('v'), 60_000)
      t.equal(await store.get('k'), undefined)
    }
    t.equal(lines.length, 1)
    t.match(lines[0], /^error .* does not answer: .*; requests are served without it$/)
    t.match(servers.figures(), [[/./, { state: 'open' }]])
    await server.restart()
    await until(async () => {
      store.set('k', Buffer.from('w'), 60_000)
      return (await store.get('k')) !== undefined
    })
    t.match(lines, [/^error/, /^notice .* answers again$/])
    t.match(servers.figures(), [[/./, { state: 'closed' }]])
  })
}

t.test('while one of two servers is away, the other one has its keys', async (t) => {
  const values = new Map<string, Uint8Array>()
  const server = (title: string, isAway: () => boolean): KeyValueServer => {
    const check = async (): Promise<void> => {
      if (isAway()) throw new Error('away')
    }
    return {
      title,
      get: (key) => check().then(() => values.get(title + key)),
      set: (key, bytes) => check().then(() => void values.set(title + key, bytes)),
      delete: (key) => check().then(() => void values.delete(title + key)),
      close: () => undefined,
    }
  }
  const away = { value: false }
  const servers = new RemoteServers([server('one', () => away.value), server('two', () => false)], new StoreTroubles(logOf([])))
  const store = servers.store('a')
  for (let key = 0; key < 20; key++) store.set(String(key), Buffer.from('v'), 60_000)
  await new Promise(setImmediate)
  t.equal(values.size, 20)
  for (const title of ['one', 'two'])
    t.ok(
      [...values.keys()].some((key) => key.startsWith(title)),
      title,
    )
  away.value = true
  for (let key = 0; key < 20; key++) await store.get(String(key))
  for (let key = 0; key < 20; key++) store.set(String(key), Buffer.from('w'), 60_000)
  for (let key = 0; key < 20; key++) t.same(await store.get(String(key)), Buffer.from('w'))
})

t.test('a server that is silent, or answers nonsense, is left alone after one time limit', async (t) => {
  for (const answer of [null, 'HTTP/1.1 400 Bad Request\r\n\r\n', '-NOAUTH Authentication required.\r\n']) {
    for (const client of [redisServer, memcacheServer]) {
      const path = await listening(t, answer)
      const lines: string[] = []
      const servers = new RemoteServers([client({ path }, 50)], new StoreTroubles(logOf(lines)))
      t.teardown(() => servers.close())
      const store = servers.store('a')
      for (let count = 0; count < 5; count++) t.equal(await store.get('k'), undefined)
      t.equal(lines.length, 1, `${client.name} ${answer}`)
    }
  }
})

/** The socket of a server that gives one answer to everything, or none. */
async function listening(t: Test, answer: string | null): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gw-silent-'))
  const path = join(folder, 's.sock')
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', () => {
      if (answer !== null) socket.write(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  t.teardown(async () => {
    await new Promise((resolve) => server.close(resolve))
    rmSync(folder, { recursive: true })
  })
  return path
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not happen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
