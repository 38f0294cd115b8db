import { seededNumbers } from '@gatewright/testing'
import t from 'tap'
import { RateTable } from '../src/rate-table.ts'

const SEED = new Uint8Array(32).fill(7)

t.test('however requests arrive, a key gets no more than its burst and its rate, and no less', async (t) => {
  const random = seededNumbers(26)
  for (let round = 0; round < 200; round++) {
    const cost = 1 + random(50)
    const burst = random(20)
    const table = new RateTable(SEED, () => {})
    let now = random(1_000_000)
    const start = now
    let taken = 0
    let idle = 0
    for (let index = 0; index < 300; index++) {
      now += random(10) === 0 ? random(2_000) : random(cost)
      const wait = table.wait(0, 'k', now, burst * cost)
      if (wait <= 0) {
        table.take(0, 'k', now, cost)
        taken++
      } else if (wait > cost) idle++
      if (taken > burst + 1 + (now - start) / cost + 1e-6) t.fail(`${taken} of ${cost}/${burst} after ${now - start} ms`)
    }
    if (idle > 0) t.fail(`${idle} waits of ${cost}/${burst} are longer than one request takes`)
    if (taken < Math.min(300, burst + 1)) t.fail(`only ${taken} of ${cost}/${burst}`)
  }
})

t.test('processes that exchange what they add hold one limit', async (t) => {
  const tables: RateTable[] = []
  let now = 0
  for (let index = 0; index < 4; index++) {
    tables.push(
      new RateTable(SEED, (cell, amount) => tables.forEach((other, at) => void (at !== index && other.added(cell, amount, now)))),
    )
  }
  let taken = 0
  for (; now < 60_000; now += 5) {
    const table = tables[(now / 5) % 4]
    if (table.wait(3, 'client', now, 20 * 100) > 0) continue
    table.take(3, 'client', now, 100)
    taken++
  }
  t.ok(taken >= 600 && taken <= 622, `${taken} in 60 s at 10r/s with a burst of 20`)
})

t.test('thousands of other keys and limits do not use up a key', async (t) => {
  const table = new RateTable(SEED, () => {})
  for (let index = 0; index < 5_000; index++) table.take(index % 3, `other ${index}`, 0, 1_000)
  let refused = 0
  for (let index = 0; index < 1_000; index++) if (table.wait(0, `key ${index}`, 0, 0) > 0) refused++
  t.ok(refused <= 5, `${refused} of 1000`)
})
