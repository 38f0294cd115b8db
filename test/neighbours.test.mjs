import { createServer } from 'node:http'
import t from 'tap'
import { parseOptions } from './neighbours/options.mjs'
import { OtherClient } from './neighbours/other-client.mjs'
import { ROWS } from './neighbours/rows.mjs'
import { heading, rowLine, summary } from './neighbours/table.mjs'

const QUIET = { longestMilliseconds: 12.4, cutOff: 0, refused: 0, status: 200, milliseconds: 40, mebibytes: 3.2 }
const STALLED = { ...QUIET, longestMilliseconds: 20_300, cutOff: 1, status: null, error: 'cut off', milliseconds: 20_100 }
const RESULTS = [
  { name: 'B4', title: 'many cookies', red: true, servers: { gatewright: STALLED, apache2: QUIET } },
  { name: 'B5', title: 'a pattern', red: false, servers: { gatewright: QUIET, apache2: QUIET } },
]

/**
 * Waits until the server has received this many requests of the client, because timers are late on a busy
 * machine.
 */
async function asksOften(client, times, asked) {
  client.start()
  while (asked() < times) await new Promise((resolve) => setTimeout(resolve, 10))
}

const listening = (t, handler) =>
  new Promise((resolve) => {
    const server = createServer(handler)
    t.teardown(() => {
      server.closeAllConnections()
      server.close()
    })
    server.listen(0, '127.0.0.1', () => resolve(server.address().port))
  })

t.test('rows have names of their own, all that were reported are among them, and at least ten of ours', (t) => {
  const names = ROWS.map(({ name }) => name)
  t.equal(new Set(names).size, names.length)
  const groups = [...new Set(names.map((name) => name.split('-')[0]))]
  for (let number = 1; number <= 12; number++) t.ok(groups.includes(`B${number}`), `B${number}`)
  t.ok(groups.filter((name) => name.startsWith('N')).length >= 10)
  t.end()
})

t.test('a group of rows is taken by its name, and an unknown one is reported', (t) => {
  const known = ['B1-10', 'B1-20', 'B10', 'N1']
  t.strictSame(parseOptions(['--only', 'N1,B1'], known, []).only, ['B1-10', 'B1-20', 'N1'])
  t.strictSame(parseOptions(['--only', 'B1-20'], known, []).only, ['B1-20'])
  t.throws(() => parseOptions(['--only', 'B2'], known, []), {
    message: "--only: 'B2' is unknown\nhint: known are B1-10, B1-20, B10, N1",
  })
  t.throws(() => parseOptions(['--limit', '0'], known, []), { message: "--limit must be a number from 1 to 99999, not '0'" })
  t.end()
})

t.test('the table has a line for each row, and the summary names those above the limit', (t) => {
  t.equal(
    [heading(['gatewright', 'apache2']), ...RESULTS.map(rowLine), summary(RESULTS, 250)].join('\n'),
    `longest wait, ms gatewright              answer    MiB   apache2              answer    MiB  row
B4 *                 20300!     cut off 20.10 s      3        12       200 in 0.04 s      3  many cookies
B5                       12       200 in 0.04 s      3        12       200 in 0.04 s      3  a pattern
!  the other client was cut off meanwhile; the time counts until it was answered
*  above 250 ms: B4
1 of 2 rows within 250 ms`,
  )
  t.end()
})

t.test('the other client counts the wait of the slowest answer, however quick the rest are', async (t) => {
  let asked = 0
  const port = await listening(t, (_request, response) => {
    setTimeout(() => response.end('x'), ++asked === 2 ? 300 : 0)
  })
  const client = new OtherClient(port)
  await asksOften(client, 3, () => asked)
  await client.stop(60_000)
  t.ok(client.longest >= 299, `${client.longest}`)
  t.equal(client.cutOff, 0)
})

t.test('a request that is cut off is repeated, and waited for from its first attempt', async (t) => {
  let asked = 0
  const port = await listening(t, (request, response) => {
    if (++asked === 1) request.socket.destroy()
    else response.end('x')
  })
  const client = new OtherClient(port)
  await asksOften(client, 3, () => asked)
  await client.stop(60_000)
  t.equal(client.cutOff, 1)
  t.ok(client.longest >= 49, `${client.longest}`)
})

t.test('a request that is never answered counts with the time that it was waited for', async (t) => {
  let asked = 0
  const port = await listening(t, () => void asked++)
  const client = new OtherClient(port)
  await asksOften(client, 1, () => asked)
  await client.stop(200)
  t.ok(client.longest >= 199, `${client.longest}`)
})
