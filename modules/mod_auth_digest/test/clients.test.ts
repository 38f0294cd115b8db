import type { SharedStore } from '@gatewright/api'
import { ownState } from '@gatewright/core'
import t from 'tap'
import { CLIENT_BYTES, clientLimit, clientStores } from '../src/client-memory.ts'
import { Clients } from '../src/clients.ts'
import { isOpaque } from '../src/opaque.ts'

const LIFE = 60_000

/** A store for so many bytes. */
const storeOf = (bytes: number): SharedStore => ownState().store('clients', bytes)

/** A store that answers nothing, as while its cache is away. */
const AWAY: SharedStore = {
  ...storeOf(0),
  reach: 'machines',
  get: async () => undefined,
  compareAndSet: async () => undefined,
}

t.test('a client is found by its opaque value, which cannot be guessed, in any process', async (t) => {
  const store = storeOf(1_000_000)
  const [clients, others] = [new Clients([store]), new Clients([store])]
  const names: string[] = []
  for (let count = 0; count < 100; count++) names.push((await clients.add(LIFE)).opaque)
  t.equal(new Set(names).size, 100)
  for (const name of names) {
    t.match(name, /^[1-9a-f][0-9a-f]{15}$/)
    t.ok(isOpaque(name))
    t.match(await others.find(name), { client: { opaque: name, moment: 0, count: 0, oneTime: 0 } })
    t.match(await others.find(name.toUpperCase()), { client: { count: 0 } }, 'in any case')
  }
  t.equal(await new Clients([storeOf(1_000)]).find(names[0]), undefined, 'another store does not know it')
})

t.test('of two processes that record a use at the same time, one has to look again', async (t) => {
  const store = storeOf(10_000)
  const [one, other] = [new Clients([store]), new Clients([store])]
  const { opaque } = await one.add(LIFE)
  const [first, second] = [await one.find(opaque), await other.find(opaque)]
  if (first === undefined || second === undefined) return t.fail('unknown')
  Object.assign(first.client, { moment: 1_795_270_000_000_000, count: 3, oneTime: 7 })
  second.client.count = 4
  t.equal(await one.replace(first, LIFE), true)
  t.equal(await other.replace(second, LIFE), false)
  t.match(await other.find(opaque), { client: { moment: 1_795_270_000_000_000, count: 3, oneTime: 7 } })
})

t.test('while the first store is away, clients are new ones, known where they were made', async (t) => {
  const [shared, own] = [storeOf(10_000), storeOf(10_000)]
  const before = await new Clients([shared, own]).add(LIFE)
  const away = new Clients([AWAY, own])
  t.equal(await away.find(before.opaque), undefined, 'whose record is away is unknown')
  const during = await away.add(LIFE)
  t.match(await away.find(during.opaque), { client: { count: 0 }, store: own })
  const after = new Clients([shared, own])
  t.ok(await after.find(before.opaque))
  t.ok(await after.find(during.opaque), 'this machine knows it')
  t.notOk(await new Clients([shared, storeOf(10_000)]).find(during.opaque), 'other machines do not')
  const nobody = await new Clients([AWAY]).add(LIFE)
  t.ok(isOpaque(nobody.opaque), 'there is a challenge in any case')
})

t.test('AuthDigestShmemSize sets the number of clients, between a thousand and a million', async (t) => {
  t.equal(clientLimit(0), 1_000)
  t.equal(clientLimit(CLIENT_BYTES), 1_000)
  t.equal(clientLimit(1_500 * CLIENT_BYTES), 1_500)
  t.equal(clientLimit(Number.MAX_SAFE_INTEGER), 1_000_000)
  const limits: number[] = []
  const services = {
    shared: (_name: string, limit: number) => {
      limits.push(limit)
      return storeOf(limit)
    },
    sharedStore: (_name: string, limit: number) => storeOf(limit),
  }
  const clients = new Clients(clientStores(services, 0))
  const names: string[] = []
  for (let count = 0; count < 1_500; count++) names.push((await clients.add(LIFE)).opaque)
  const known = (await Promise.all(names.map((name) => clients.find(name)))).filter((found) => found !== undefined)
  t.ok(known.length >= 1_000 && known.length < 1_100, `${known.length} clients`)
  t.ok(await clients.find(names[1_499]), 'the latest')
  t.notOk(await clients.find(names[0]), 'the one whose last request is the oldest makes room')
})

t.test('opaque values are hexadecimal, without leading zeros', async (t) => {
  for (const name of ['1', 'a', 'FF', '1'.repeat(16)]) t.ok(isOpaque(name), name)
  for (const name of ['', '0', '00', '01', '0x1', '1z', '-1', ' 1', '1 ', '1'.repeat(17)]) t.notOk(isOpaque(name), name)
})
