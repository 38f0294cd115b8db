import type { HostCount } from '@gatewright/api/status'
import t from 'tap'
import { HostTally } from '../src/status/host-tally.ts'

const countsOf = (tally: HostTally): Record<string, HostCount> => Object.fromEntries(tally.counts.map((one) => [one.name, one]))

t.test('responses and bytes are counted by virtual host, whatever the order of the requests', async (t) => {
  const tally = new HostTally()
  const a = { serverName: 'a.example.org', serverPort: 0 }
  const b = { serverName: 'b.example.org', serverPort: 8443 }
  for (const [host, statusClass, bytes] of [
    [a, 1, 10],
    [b, 3, 5],
    [a, 1, 20],
    [b, 1, 7],
    [b, 4, 0],
  ] as const) {
    tally.answered(host, statusClass, bytes)
  }
  t.strictSame(countsOf(tally), {
    'a.example.org': { name: 'a.example.org', responses: [0, 2, 0, 0, 0], bytes: 30 },
    'b.example.org:8443': { name: 'b.example.org:8443', responses: [0, 1, 0, 1, 1], bytes: 12 },
  })
})

t.test('a host keeps its counters across reloads, and shares them with a host of the same name', async (t) => {
  const tally = new HostTally()
  for (let generation = 0; generation < 3; generation++) tally.answered({ serverName: 'www', serverPort: 80 }, 1, 1)
  t.match(countsOf(tally), { 'www:80': { responses: [0, 3, 0, 0, 0], bytes: 3 } })
  t.equal(tally.counts.length, 1)
})

t.test('hosts after the first thousand are counted together, and those already known on their own', async (t) => {
  const tally = new HostTally()
  for (let host = 0; host < 1200; host++) tally.answered({ serverName: `host-${host}`, serverPort: 0 }, 1, 1)
  tally.answered({ serverName: 'host-7', serverPort: 0 }, 1, 1)
  const counts = countsOf(tally)
  t.equal(tally.counts.length, 1001)
  t.equal(counts['other hosts']?.bytes, 200)
  t.equal(counts['host-7']?.bytes, 2)
})
