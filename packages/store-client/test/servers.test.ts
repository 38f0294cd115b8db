import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ModuleLog, SharedStore } from '@gatewright/api'
import { ownState } from '@gatewright/core'
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

/** The store of a machine. */
const local = (): SharedStore => ownState().store('local', 0)

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
    const store = one.store('a', local())
    const keys = ['key', '', 'with blank', 'line\r\nset x 0 0 1', '\u20ac', 'x'.repeat(5_000), '\0']
    for (const key of keys) {
      t.equal(await store.get(key), undefined)
      store.set(key, Buffer.from([0, 13, 10, 255]), 60_000)
      t.same(await store.get(key), Buffer.from([0, 13, 10, 255]), JSON.stringify(key).slice(0, 30))
      t.same(await other.store('a', local()).get(key), Buffer.from([0, 13, 10, 255]), 'another machine sees it')
      t.equal(await other.store('b', local()).get(key), undefined, 'another purpose does not')
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

  t.test(`${name} counts and exchanges bytes in one step for all machines`, { skip }, async (t) => {
    const server = await start()
    t.teardown(() => server.close())
    const stores = Array.from({ length: 4 }, () => {
      const servers = new RemoteServers(
        [client({ path: server.address.slice('unix:'.length) }, LIMIT)],
        new StoreTroubles(logOf([])),
      )
      t.teardown(() => servers.close())
      return servers.store('a', local())
    })
    const [store] = stores
    const sums = await Promise.all(Array.from({ length: 40 }, (_, index) => stores[index % 4].increment('n', 3, 60_000)))
    t.same(
      [...sums].sort((a = 0, b = 0) => a - b),
      Array.from({ length: 40 }, (_, index) => 3 * (index + 1)),
    )
    t.same(await store.get('n'), Buffer.from('120'))
    t.equal(await store.increment('n', 0, 60_000), 120)
    store.set('text', Buffer.from('1a'), 60_000)
    t.equal(await store.increment('text', 1, 60_000), undefined, 'not a number')
    t.same(await store.get('text'), Buffer.from('1a'), 'and no failure of the server')
    t.equal(await store.increment('large', 2 ** 31 - 1, 60_000), 2 ** 31 - 1)
    await t.rejects(store.increment('n', -1, 60_000), RangeError)
    await store.increment('brief', 5, 1_000)
    await until(async () => (await store.increment('brief', 0, 1_000)) === 0)

    const made = await Promise.all(stores.map((one, index) => one.compareAndSet('k', undefined, Buffer.from([index]), 60_000)))
    t.equal(made.filter((done) => done === true).length, 1)
    const now = await store.get('k')
    t.same(now, Buffer.from([made.indexOf(true)]))
    const replaced = await Promise.all(stores.map((one) => one.compareAndSet('k', now, Buffer.from('\r\n\0'), 60_000)))
    t.equal(replaced.filter((done) => done === true).length, 1)
    t.equal(await store.compareAndSet('k', Buffer.from('\r\n'), Buffer.from('x'), 60_000), false)
    t.equal(await store.compareAndSet('absent', Buffer.alloc(0), Buffer.from('x'), 60_000), false)
    store.set('empty', Buffer.alloc(0), 60_000)
    t.equal(await store.compareAndSet('empty', undefined, Buffer.from('x'), 60_000), false, 'empty bytes are bytes')
    t.equal(await store.compareAndSet('empty', Buffer.alloc(0), Buffer.from('x'), 60_000), true)

    await server.stop()
    t.equal(await store.increment('n', 1, 60_000), undefined, 'no sum without the server')
    t.equal(await store.compareAndSet('k', undefined, Buffer.from('x'), 60_000), undefined, 'no exchange either')
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
    const store = servers.store('a', local())
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

t.test(
  'what one machine publishes by Redis reaches all, also after Redis was away',
  { skip: hasRedis() ? false : 'Redis is not installed' },
  async (t) => {
    const server = await redisStore()
    t.teardown(() => server.close())
    const path = server.address.slice('unix:'.length)
    const machines = Array.from({ length: 2 }, () => {
      const servers = new RemoteServers([redisServer({ path }, LIMIT)], new StoreTroubles(logOf([])))
      t.teardown(() => servers.close())
      // Two workers of the same machine have the same stores there.
      const own = ownState()
      return ['a', 'a', 'b'].map((name) => servers.store(name, own.store(name, 0)))
    })
    const heard = new Set<string>()
    const listen = (who: string) => (bytes: Uint8Array) => void heard.add(`${who} ${Buffer.from(bytes).toString()}`)
    machines.forEach(([first, second, other], index) => {
      first.subscribe('t', listen(`${index} first`))
      second.subscribe('t', listen(`${index} second`))
      second.subscribe('u', listen(`${index} other topic`))
      other.subscribe('t', listen(`${index} other store`))
    })
    const reach = async (text: string, everybody: readonly string[]): Promise<void> => {
      await until(async () => {
        machines[0][0].publish('t', Buffer.from(text))
        return everybody.every((who) => heard.has(`${who} ${text}`))
      })
    }
    const all = ['0 first', '0 second', '1 first', '1 second']
    await reach('before', all)
    await server.stop()
    await reach('away', ['0 first', '0 second'])
    await server.restart()
    await reach('after', all)
    t.same(
      [...heard].filter((line) => /other/.test(line)),
      [],
    )
  },
)

t.test(
  'memcached passes no messages: they reach the processes of one machine',
  { skip: hasMemcached() ? false : 'memcached is not installed' },
  async (t) => {
    const server = await memcachedStore()
    t.teardown(() => server.close())
    const servers = new RemoteServers(
      [memcacheServer({ path: server.address.slice('unix:'.length) }, LIMIT)],
      new StoreTroubles(logOf([])),
    )
    t.teardown(() => servers.close())
    const own = local()
    const heard: string[] = []
    const end = servers.store('a', own).subscribe('t', (bytes) => heard.push(Buffer.from(bytes).toString()))
    servers.store('a', own).publish('t', Buffer.from('one'))
    await until(async () => heard.length > 0)
    end()
    const others: string[] = []
    servers.store('a', own).subscribe('t', (bytes) => others.push(Buffer.from(bytes).toString()))
    servers.store('a', own).publish('t', Buffer.from('two'))
    await until(async () => others.length > 0)
    t.same([heard, others], [['one'], ['two']])
  },
)

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
      increment: () => check().then(() => undefined),
      compareAndSet: () => check().then(() => false),
      messages: null,
      close: () => undefined,
    }
  }
  const away = { value: false }
  const servers = new RemoteServers([server('one', () => away.value), server('two', () => false)], new StoreTroubles(logOf([])))
  const store = servers.store('a', local())
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
      const store = servers.store('a', local())
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
