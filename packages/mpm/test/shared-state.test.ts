import t from 'tap'
import type { FromWorker, KeyPair } from '../src/roles/messages.ts'
import { isStoreMessage, SharedStores, type StoreUser } from '../src/supervisor/shared-stores.ts'
import { PassedConnections } from '../src/worker/passed-connections.ts'
import { WorkerSharedState } from '../src/worker/shared-state.ts'

/** Workers here pass no connections on. */
const CONNECTIONS = new PassedConnections((_, handle) => handle.close())
const KEYS: KeyPair = { current: 'AAAA', previous: null, since: 0 }

interface Workers {
  readonly stores: SharedStores
  readonly states: readonly WorkerSharedState[]
  /** As the supervisor sees them. */
  readonly users: readonly StoreUser[]
}

/** Workers that share stores without processes between them. */
function linked(count: number): Workers {
  const stores = new SharedStores()
  const users: StoreUser[] = []
  const states = Array.from({ length: count }, () => {
    const user: StoreUser = {
      answer: (answer) => setImmediate(() => (answer.type === 'published' ? state.published(answer) : state.replied(answer))),
    }
    const state: WorkerSharedState = new WorkerSharedState(
      KEYS,
      (message: FromWorker) => {
        if (isStoreMessage(message)) stores.receive(message, user)
      },
      CONNECTIONS,
    )
    users.push(user)
    return state
  })
  return { stores, states, users }
}

const workers = (count: number): readonly WorkerSharedState[] => linked(count).states

/** Waits until what was published before has arrived: a message takes two turns of the event loop, whatever their length. */
async function delivered(): Promise<void> {
  for (let turn = 0; turn < 4; turn++) await new Promise(setImmediate)
}

t.test('what one worker keeps, the others find until it is removed or expires', async (t) => {
  const [one, other] = workers(2).map((state) => state.store('mod_x.c', 10_000))
  one.set('a', Buffer.from([0, 255, 10]), 60_000)
  one.set('b', Buffer.from('brief'), 0)
  t.same(await other.get('a'), Buffer.from([0, 255, 10]))
  t.equal(await other.get('b'), undefined)
  t.equal(await other.get('c'), undefined)
  other.delete('a')
  t.equal(await one.get('a'), undefined)
})

t.test('stores are apart, and new entries replace the oldest', async (t) => {
  const [state] = workers(1)
  const [small, other] = [state.store('small', 500), state.store('other', 10_000)]
  other.set('0', Buffer.from('other'), 60_000)
  for (let index = 0; index < 10; index++) small.set(String(index), Buffer.from('value'), 60_000)
  t.equal(await small.get('0'), undefined)
  t.same(await small.get('9'), Buffer.from('value'))
  small.set('large', Buffer.alloc(1000), 60_000)
  t.equal(await small.get('large'), undefined, 'larger than the store')
  t.same(await small.get('9'), Buffer.from('value'), 'nothing gives way to it')
  t.same(await other.get('0'), Buffer.from('other'))
})

t.test('a supervisor that does not answer has found nothing', async (t) => {
  const sent: string[] = []
  const state = new WorkerSharedState(KEYS, ({ type }) => void sent.push(type), CONNECTIONS)
  t.equal(await state.store('x', 1).get('a'), undefined)
  t.strictSame(sent, ['lookUp'])
})

t.test('new keys replace those of the start', (t) => {
  const [state] = workers(1)
  const first = state.rotatingKeys()
  t.equal(state.rotatingKeys(), first, 'the same object')
  state.rotate({ current: 'BBBB', previous: 'AAAA', since: 1 })
  t.same(state.rotatingKeys(), { current: Buffer.from('BBBB', 'base64'), previous: first.current })
  t.end()
})

t.test('all workers count together what a store has done', async (t) => {
  const [one, other] = workers(2).map((state) => state.store('mod_x.c', 500))
  t.match(await one.figures(), { limit: 500, used: 0, entries: 0, oldestLeft: null, stored: 0 })
  one.set('a', Buffer.from('1'), 60_000)
  other.set('a', Buffer.from('2'), 60_000)
  one.set('brief', Buffer.from('3'), 0)
  for (const key of ['a', 'brief', 'missing']) await other.get(key)
  other.delete('a')
  other.delete('a')
  for (let index = 0; index < 10; index++) one.set(String(index), Buffer.from('value'), 60_000)
  const figures = await other.figures()
  t.match(figures, { limit: 500, stored: 12, replaced: 1, expired: 1, found: 1, notFound: 2, removed: 1, notRemoved: 1 })
  t.equal(figures?.entries, 10 - (figures?.displaced ?? 0), 'what was displaced makes room for the rest')
  t.ok((figures?.displaced ?? 0) > 0)
  t.ok((figures?.used ?? 501) <= 500)
  t.ok((figures?.oldestLeft ?? 0) > 0)
})

t.test('what several workers add to a counter is summed up, until its life ends', async (t) => {
  const [one, other] = workers(2).map((state) => state.store('mod_x.c', 10_000))
  const sums = await Promise.all(Array.from({ length: 50 }, (_, index) => (index % 2 ? one : other).increment('n', 2, 60_000)))
  t.same(
    [...sums].sort((a = 0, b = 0) => a - b),
    Array.from({ length: 50 }, (_, index) => 2 * (index + 1)),
    'each sum once',
  )
  t.same(await one.get('n'), Buffer.from('100'), 'its bytes are digits')
  t.equal(await other.increment('n', 0, 60_000), 100, 'nothing added')
  t.equal(await one.increment('brief', 7, 0), 7)
  t.equal(await one.increment('brief', 7, 0), 7, 'it began again')
  one.set('text', Buffer.from('1a'), 60_000)
  t.equal(await one.increment('text', 1, 60_000), undefined, 'not a number')
  one.set('set', Buffer.from('41'), 60_000)
  t.equal(await one.increment('set', 1, 60_000), 42)
  for (const wrong of [-1, 0.5, 2 ** 31, Number.NaN]) await t.rejects(one.increment('n', wrong, 1), RangeError)
})

t.test('a counter ends at the largest safe integer, and one that its store cannot keep has no sum', async (t) => {
  const [state] = workers(1)
  const store = state.store('mod_x.c', 10_000)
  store.set('n', Buffer.from(String(Number.MAX_SAFE_INTEGER - 1)), 60_000)
  t.equal(await store.increment('n', 1000, 60_000), Number.MAX_SAFE_INTEGER)
  t.equal(await state.store('tiny', 10).increment('n', 1, 60_000), undefined)
})

t.test('of several workers that exchange the same bytes, one succeeds', async (t) => {
  const stores = workers(8).map((state) => state.store('mod_x.c', 10_000))
  const made = await Promise.all(stores.map((store, index) => store.compareAndSet('k', undefined, Buffer.from([index]), 60_000)))
  t.equal(made.filter((done) => done === true).length, 1)
  const now = await stores[0].get('k')
  t.same(now, Buffer.from([made.indexOf(true)]))
  const replaced = await Promise.all(stores.map((store) => store.compareAndSet('k', now, Buffer.from('new'), 60_000)))
  t.equal(replaced.filter((done) => done === true).length, 1)
  t.same(await stores[0].get('k'), Buffer.from('new'))
  t.equal(await stores[0].compareAndSet('k', Buffer.from('ne'), Buffer.from('x'), 60_000), false, 'the beginning does not do')
  t.equal(
    await stores[0].compareAndSet('absent', Buffer.from(''), Buffer.from('x'), 60_000),
    false,
    'no bytes are not empty bytes',
  )
  t.equal(await stores[0].compareAndSet('gone', undefined, Buffer.from('x'), 0), true)
  t.equal(await stores[0].compareAndSet('gone', undefined, Buffer.from('y'), 60_000), true, 'what has expired is not there')
})

t.test('what is published reaches all who have subscribed, until they end it or exit', async (t) => {
  const { stores, states, users } = linked(3)
  const heard: string[] = []
  const [one, other, third] = states.map((state) => state.store('mod_x.c', 1_000))
  const listen = (who: string) => (bytes: Uint8Array) => heard.push(`${who} ${Buffer.from(bytes).toString()}`)
  const end = one.subscribe('t', listen('one'))
  one.subscribe('t', listen('same worker'))
  other.subscribe('t', listen('other'))
  third.subscribe('t', listen('third'))
  states[2].store('mod_y.c', 1_000).subscribe('t', listen('another store'))
  one.publish('t', Buffer.from('1'))
  other.publish('other topic', Buffer.from('2'))
  await delivered()
  t.same(heard.splice(0).sort(), ['one 1', 'other 1', 'same worker 1', 'third 1'])
  end()
  end()
  stores.left(users[2])
  other.publish('t', Buffer.from('3'))
  await delivered()
  t.same(heard.splice(0).sort(), ['other 3', 'same worker 3'])
  t.throws(() => one.publish('t', Buffer.alloc(65_537)), RangeError)
})

t.test('a supervisor that does not answer gives no sum and no exchange', async (t) => {
  const store = new WorkerSharedState(KEYS, () => undefined, CONNECTIONS).store('x', 1)
  t.equal(await store.increment('a', 1, 1_000), undefined)
  t.equal(await store.compareAndSet('a', undefined, Buffer.from('x'), 1_000), undefined)
})
