import { seededNumbers } from '@gatewright/testing'
import t from 'tap'
import { SharedRates } from '../src/shared-rates.ts'

/** A store in memory, which answers after some steps that a test chooses. */
class SlowStore {
  readonly kept = new Map<string, Uint8Array>()
  /** How often bytes were not as expected. */
  conflicts = 0
  readonly #steps: () => number

  constructor(steps: () => number = () => 0) {
    this.#steps = steps
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    await this.#pass()
    const found = this.kept.get(key)
    await this.#pass()
    return found
  }

  async compareAndSet(key: string, expected: Uint8Array | undefined, bytes: Uint8Array): Promise<boolean | undefined> {
    await this.#pass()
    const found = this.kept.get(key)
    const isExpected = found === undefined || expected === undefined ? found === expected : Buffer.compare(found, expected) === 0
    if (isExpected) this.kept.set(key, bytes)
    else this.conflicts++
    await this.#pass()
    return isExpected
  }

  async #pass(): Promise<void> {
    for (let left = this.#steps(); left > 0; left--) await null
  }
}

const AWAY = { get: async () => undefined, compareAndSet: async () => undefined }

t.test('machines that ask at the same time get one burst together, and then one rate', async (t) => {
  const random = seededNumbers(26)
  const store = new SlowStore(() => random(6))
  let now = 1_790_000_000_000
  const machines = Array.from({ length: 4 }, () => new SharedRates(store, () => now))
  const rate = { salt: 1, cost: 1_000 / 7, ahead: (20 * 1_000) / 7 }
  let granted = 0
  const ask = async (): Promise<void> => {
    const answers = await Promise.all(machines.flatMap((machine) => [machine.take(rate, 'k'), machine.take(rate, 'k')]))
    granted += answers.filter((wait) => wait === 0).length
  }
  for (let rounds = 0; rounds < 20; rounds++) await ask()
  t.equal(granted, 21, 'the burst and one request, at one time')
  for (const end = now + 60_000; now < end; now += 20) await ask()
  t.ok(granted >= 21 + 7 * 60 - 1 && granted <= 21 + 7 * 60, `${granted} in 60 s at 7r/s with a burst of 20`)
  t.ok(store.conflicts > 0, 'the machines did compete')
})

t.test('one machine alone competes with nobody, however many requests wait', async (t) => {
  const store = new SlowStore(() => 3)
  const rates = new SharedRates(store, () => 5_000)
  const rate = { salt: 1, cost: 10, ahead: 490 }
  const waits = await Promise.all(Array.from({ length: 60 }, () => rates.take(rate, 'k')))
  t.equal(waits.filter((wait) => wait === 0).length, 50)
  t.equal(waits[59], 10, 'a refused client learns when it may come again')
  t.equal(store.conflicts, 0)
})

t.test('keys and limits have counts of their own', async (t) => {
  const rates = new SharedRates(new SlowStore(), () => 5_000)
  const rate = { salt: 1, cost: 1_000, ahead: 0 }
  t.equal(await rates.take(rate, 'a'), 0)
  t.equal(await rates.take(rate, 'b'), 0)
  t.equal(await rates.take({ ...rate, salt: 2 }, 'a'), 0)
  t.equal(await rates.take(rate, 'a'), 1_000)
})

t.test('a store that does not answer is not an answer', async (t) => {
  const rates = new SharedRates(AWAY, () => 5_000)
  t.equal(await rates.take({ salt: 1, cost: 10, ahead: 0 }, 'a'), undefined)
  const failing = { get: () => Promise.reject(new Error('broken')), compareAndSet: async () => true }
  const broken = new SharedRates(failing, () => 5_000)
  await t.rejects(broken.take({ salt: 1, cost: 10, ahead: 0 }, 'a'), /broken/)
  await t.rejects(broken.take({ salt: 1, cost: 10, ahead: 0 }, 'a'), /broken/, 'and the next request asks again')
})

t.test('a key that others change all the time is refused', async (t) => {
  const rates = new SharedRates({ get: async () => undefined, compareAndSet: async () => false }, () => 5_000)
  t.equal(await rates.take({ salt: 1, cost: 10, ahead: 0 }, 'a'), 10)
})

t.test('bytes that are no time are replaced', async (t) => {
  const store = new SlowStore()
  const rates = new SharedRates(store, () => 5_000)
  for (const bytes of [Buffer.from('x'), Buffer.alloc(8, 0xff)]) {
    store.kept.set('1:a', bytes)
    t.equal(await rates.take({ salt: 1, cost: 10, ahead: 0 }, 'a'), 0)
    t.equal(await rates.take({ salt: 1, cost: 10, ahead: 0 }, 'a'), 10)
  }
})
