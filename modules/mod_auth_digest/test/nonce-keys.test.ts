import { ownState } from '@gatewright/core'
import t from 'tap'
import { Nonces } from '../src/nonce.ts'
import { NonceKeys } from '../src/nonce-keys.ts'

const NOW = 1_795_270_000_000_000

const store = () => ownState().store('keys', 10_000)

interface Machine {
  readonly keys: NonceKeys
  readonly nonces: Nonces
  now: number
}

/** A machine with a key of its own, and a clock that the test sets. */
function machine(byte: number): Machine {
  const clock = { now: 0 }
  const keys = new NonceKeys(Buffer.alloc(32, byte), () => clock.now)
  return Object.assign(clock, { keys, nonces: new Nonces(keys) })
}

/** Lets what asks the cache in the background finish: a store of this process answers within the turn of the event loop. */
const settled = (): Promise<void> => new Promise(setImmediate)

t.test('the machines of a site accept the nonces of each other, and those that each made before', async (t) => {
  const [one, other] = [machine(1), machine(2)]
  const before = other.nonces.make(NOW, 'R', null)
  t.equal(one.nonces.momentOf(before, 'R', null), undefined, 'without a cache they do not')
  const cache = store()
  await one.keys.shareIn(cache)
  await other.keys.shareIn(cache)
  t.equal(one.nonces.momentOf(other.nonces.make(NOW, 'R', null), 'R', null), NOW)
  t.equal(other.nonces.momentOf(one.nonces.make(NOW, 'R', null), 'R', null), NOW)
  t.equal(other.nonces.momentOf(before, 'R', null), NOW)
})

t.test('machines that start at the same time agree on one key within a minute', async (t) => {
  const machines = [1, 2, 3].map(machine)
  const cache = store()
  await Promise.all(machines.map(({ keys }) => keys.shareIn(cache)))
  for (const one of machines) {
    one.now += 60_000
    one.keys.current()
  }
  await settled()
  t.equal(new Set(machines.map(({ keys }) => Buffer.from(keys.current()).toString('hex'))).size, 1)
})

t.test('a cache that has lost its key gets it back from the machines', async (t) => {
  const [one, other] = [machine(1), machine(2)]
  const cache = store()
  await one.keys.shareIn(cache)
  await other.keys.shareIn(cache)
  cache.delete('key')
  one.now += 60_000
  one.keys.current()
  await settled()
  t.same(await cache.get('key'), Buffer.alloc(32, 1))
  other.now += 60_000
  t.equal(other.nonces.momentOf(one.nonces.make(NOW, 'R', null), 'R', null), NOW)
})

t.test('while the cache is away, each machine has its own key', async (t) => {
  const one = machine(1)
  const cache = { ...store(), get: async () => undefined, compareAndSet: async () => undefined }
  await one.keys.shareIn(cache)
  t.same(one.keys.current(), Buffer.alloc(32, 1))
  t.equal(one.nonces.momentOf(one.nonces.make(NOW, 'R', null), 'R', null), NOW)
})
