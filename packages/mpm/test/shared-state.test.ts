import t from 'tap'
import type { FromWorker, KeyPair } from '../src/roles/messages.ts'
import { SharedStores, type StoreMessage } from '../src/supervisor/shared-stores.ts'
import { WorkerSharedState } from '../src/worker/shared-state.ts'

const KEYS: KeyPair = { current: 'AAAA', previous: null, since: 0 }

const isAboutStores = (message: FromWorker): message is StoreMessage =>
  message.type === 'store' || message.type === 'forget' || message.type === 'lookUp'

/** Workers that share stores without processes between them. */
function workers(count: number): readonly WorkerSharedState[] {
  const stores = new SharedStores()
  return Array.from({ length: count }, () => {
    const state: WorkerSharedState = new WorkerSharedState(KEYS, (message) => {
      if (isAboutStores(message)) stores.receive(message, ({ id, value }) => setImmediate(() => state.found(id, value)))
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
