import { openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { readAheadOf } from '../src/read-ahead.ts'
import { FrameClient, type Handler, headOf, uint32 } from './support/client.ts'

const MIB = 1024 * 1024
const LARGE = 8 * MIB
const BLOCK = 256 * 1024

/** Responses that send a file of 8 MiB, and what they have in memory. */
function large(path: string): Handler {
  return (exchange) =>
    exchange.sendFile(headOf(200), [{ fd: openSync(path, 'r'), start: 0, length: LARGE, closeFd: true }], () => undefined)
}

/** A file, and the first client of an engine. All requests of its connections are among the exchanges of this client. */
function place(t: Test): FrameClient {
  return new FrameClient(large(join(t.testdir({ 'large.bin': Buffer.alloc(LARGE) }), 'large.bin')))
}

/** Connections of a hundred requests each, of whose responses the windows of the connections admit little. */
async function greedy(first: FrameClient, count: number): Promise<FrameClient[]> {
  const before = first.exchanges.length
  const clients = Array.from({ length: count }, () => FrameClient.beside(first))
  for (const client of clients) {
    client.send(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(0x7fff_ffff)]))
    for (let stream = 1; stream < 200; stream += 2) client.request(stream)
  }
  const expected = before + 100 * count
  await until(
    () => first.exchanges.length === expected && first.exchanges.slice(before).every(({ outgoing }) => outgoing.length > 0),
  )
  return clients
}

async function until(holds: () => boolean): Promise<void> {
  for (let tries = 0; !holds(); tries++) {
    if (tries === 4000) throw new Error('it never holds')
    await pause(5)
  }
}

t.test('files that clients do not take use little memory, on however many streams and connections', async (t) => {
  const first = place(t)
  const clients = await greedy(first, 3)
  const waiting = first.exchanges.reduce((sum, { outgoing }) => sum + outgoing.length, 0)
  t.ok(waiting < 24 * MIB, `${Math.round(waiting / MIB)} MiB`)
  for (const client of clients) client.transport.destroy()
  await until(() => first.exchanges.every(({ aborted }) => aborted))
})

t.test('what clients have left behind counts no longer: others get large blocks', async (t) => {
  const first = place(t)
  const ahead = readAheadOf(first.engine)
  const clients = await greedy(first, 3)
  t.equal(ahead.grant(BLOCK, BLOCK), 16_384, 'too much waits')
  ahead.taken(16_384)
  for (const client of clients) client.transport.destroy()
  await until(() => first.exchanges.every(({ aborted }) => aborted))
  for (let granted = 0; granted < 16 * MIB; granted += BLOCK) t.equal(ahead.grant(BLOCK, BLOCK), BLOCK)
})
