import t from 'tap'
import type { FromWorker, KeyPair } from '../src/roles/messages.ts'
import { SharedStores, type StoreMessage } from '../src/supervisor/shared-stores.ts'
import { WorkerSharedState } from '../src/worker/shared-state.ts'

const KEYS: KeyPair = { current: 'AAAA', previous: null, since: 0 }

const isAboutStores = (message: FromWorker): message is StoreMessage =>
  message.type === 'store' || message.type === 'forget' || message.type === 'lookUp' || message.type === 'askFigures'

/** Workers that share stores without processes between them. */
function workers(count: number): readonly WorkerSharedState[] {
  const stores = new SharedStores()
  return Array.from({ length: count }, () => {
    const state: WorkerSharedState = new WorkerSharedState(KEYS, (message) => {
      if (isAboutStores(message))
        stores.receive(message, (answer) =>
          setImmediate(() =>
            answer.type === 'found' ? state.found(answer.id, answer.value) : state.figures(answer.id, answer.figures),
          ),
        )
    })
    return state
  })
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
  const state = new WorkerSharedState(KEYS, ({ type }) => void sent.push(type))
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
