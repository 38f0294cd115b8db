import t from 'tap'
import { Random } from '../../../test/fixtures/random.ts'
import { type ConnectionShare, ConnectionShares } from '../src/connection-shares.ts'

t.test('a client counts as long as it has a connection', async (t) => {
  const shares = new ConnectionShares()
  const first = shares.open('a')
  const second = shares.open('a')
  t.equal(first, second)
  t.same([shares.countOf('a'), shares.countOf('b'), shares.clients, shares.most], [2, 0, 1, 2])
  shares.close(first)
  shares.close(second)
  t.same([shares.countOf('a'), shares.clients, shares.most], [0, 0, 0])
})

t.test('the largest number of connections is known as connections open and close', async (t) => {
  const random = new Random(7)
  const shares = new ConnectionShares()
  const open: ConnectionShare[] = []
  for (let step = 0; step < 3000; step++) {
    const opens = open.length === 0 || random.percent(step < 1500 ? 60 : 40)
    if (opens) open.push(shares.open(String(random.below(9))))
    else for (const share of open.splice(random.below(open.length), 1)) shares.close(share)
    const counts = new Map<string, number>()
    for (const { group } of open) counts.set(group, (counts.get(group) ?? 0) + 1)
    const expected = [counts.size, Math.max(0, ...counts.values())]
    if (shares.clients !== expected[0] || shares.most !== expected[1]) t.same([shares.clients, shares.most], expected)
  }
  for (const share of open) shares.close(share)
  t.same([shares.clients, shares.most], [0, 0])
})
