import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { HttpEngine } from '../src/engine.ts'
import { MemoryTransport } from '../src/memory-transport.ts'
import { SpokenConnection } from '../src/spoken/connection.ts'
import { TestHost } from './harness.ts'

/** A connection whose protocol a module speaks, where a client has a short time to close its side. */
function spokenConnection(): { engine: HttpEngine; transport: MemoryTransport; spoken: SpokenConnection } {
  const engine = new HttpEngine(new TestHost({}, () => undefined), { lingerSilence: 50, lingerTotal: 100, lingerMax: 1 })
  const former = engine.inject(new MemoryTransport())
  const transport = new MemoryTransport()
  const spoken = new SpokenConnection(engine, transport, former)
  engine.attach(spoken, transport)
  return { engine, transport, spoken }
}

for (const [what, bytes] of [
  ['sends nothing', ''],
  ['sends more than is read', 'x'.repeat(200_000)],
] as const) {
  t.test(`when a module has ended, a client that ${what} and does not close is disconnected`, async (t) => {
    const { engine, transport, spoken } = spokenConnection()
    transport.feed(bytes)
    spoken.stream.end('bye')
    await once(spoken.stream, 'finish')
    // The connection learns in a later step of the loop that its transport has closed.
    while (!spoken.closed) {
      await pause(10)
      engine.tick()
    }
    t.match(transport.text, /bye$/)
    t.ok(transport.closed)
  })
}
