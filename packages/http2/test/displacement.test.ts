import t from 'tap'
import { FrameClient, type Handler, headOf, uint32 } from './support/client.ts'

const NEWCOMER = '203.0.113.1'
const LARGE = Buffer.alloc(32 * 1024 * 1024)

/** Answers with more than any window admits. */
const answerLarge: Handler = (exchange) => exchange.respond(headOf(200), LARGE, null)

/** Takes every body, and answers none. */
const readAll: Handler = (exchange) => exchange.readBody({ onData() {}, onEnd() {}, onError() {} })

/** Lets ten seconds pass, and does something in each tenth of them. */
async function tenSeconds(client: FrameClient, each: (tick: number) => void): Promise<void> {
  for (let tick = 0; tick < 100; tick++) {
    each(tick)
    await client.frames()
    client.engine.now += 99
    client.engine.tick()
  }
}

/** Whether a new connection of somebody else may replace that of the client. */
const isDisplaceable = (client: FrameClient): boolean => client.engine.displaceFor(NEWCOMER) !== null

/** A client without windows for responses. */
function withoutWindows(handler: Handler): FrameClient {
  const client = FrameClient.begun(handler)
  client.send(4, 0, 0, Buffer.concat([Buffer.from([0, 4]), uint32(0)]))
  return client
}

const streams = Array.from({ length: 100 }, (_, index) => 2 * index + 1)

t.test('a client that takes a byte per second on each of a hundred streams may be displaced', async (t) => {
  const client = withoutWindows(answerLarge)
  for (const stream of streams) client.request(stream)
  await tenSeconds(client, (tick) => {
    if (tick % 10 === 0) for (const stream of streams) client.send(8, 0, stream, uint32(1))
  })
  t.equal(client.seen.filter(({ type, payload }) => type === 0 && payload.length === 1).length, 1000, 'each byte arrives')
  t.equal(isDisplaceable(client), true)
})

t.test('a client that takes its responses fast is not displaced, also while its windows are used up', async (t) => {
  const client = withoutWindows(answerLarge)
  client.request(1)
  await tenSeconds(client, () => {
    for (const stream of [0, 1]) client.send(8, 0, stream, uint32(20_000))
  })
  t.equal(isDisplaceable(client), false)
})

t.test('a client that sends a byte of a body per second may be displaced', async (t) => {
  const client = FrameClient.begun(readAll)
  client.request(1, '/', [], 'POST', false)
  await tenSeconds(client, (tick) => {
    if (tick % 10 === 0) client.send(0, 0, 1, 'x')
  })
  t.equal(isDisplaceable(client), true)
})

t.test('a client that sends a body fast is not displaced', async (t) => {
  const client = FrameClient.begun(readAll)
  client.request(1, '/', [], 'POST', false)
  await tenSeconds(client, () => client.send(0, 0, 1, Buffer.alloc(10_000)))
  t.equal(isDisplaceable(client), false)
})

t.test('a client whose responses the server is still making is not displaced', async (t) => {
  const client = FrameClient.begun(() => {})
  client.request(1)
  await tenSeconds(client, () => undefined)
  t.equal(isDisplaceable(client), false)
})
