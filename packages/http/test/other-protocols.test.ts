import t from 'tap'
import type { ConnectionShare } from '../src/connection-shares.ts'
import { HttpEngine } from '../src/engine.ts'
import type { ConnectionActivity, EngineConnection } from '../src/engine-connection.ts'
import { MemoryTransport } from '../src/memory-transport.ts'
import type { Preface } from '../src/preface.ts'
import { TestHost } from './harness.ts'

/** A protocol that reads nothing. */
class SilentConnection implements EngineConnection {
  readonly remoteAddress = '192.0.2.1'
  readonly remotePort = 1
  readonly localAddress = '127.0.0.1'
  readonly localPort = 80
  readonly activity: ConnectionActivity = 'keepAlive'
  readonly idle = true
  readonly hasUnusedInput = false
  data: unknown = null
  preface: Preface | null = null
  slot = -1
  share: ConnectionShare | null = null
  closed = false
  ticks = 0
  received = ''
  readonly #engine: HttpEngine

  constructor(engine: HttpEngine) {
    this.#engine = engine
  }

  observe(): void {}

  displacementRank(): number {
    return 1
  }

  displace(): void {
    this.destroy()
  }

  close(): void {
    this.destroy()
  }

  destroy(): void {
    if (this.closed) return
    this.closed = true
    this.#engine.remove(this)
  }

  tick(): void {
    this.ticks++
  }

  onBytes(bytes: Buffer, count: number): void {
    this.received += bytes.toString('latin1', 0, count)
  }

  onEnd(): void {}
  onDrain(): void {}
  onClose(): void {
    this.destroy()
  }
}

t.test('the engine counts, watches, feeds and closes a connection of another protocol', async (t) => {
  const engine = new HttpEngine(new TestHost({}, () => t.fail('no request of HTTP/1.x')))
  const transport = new MemoryTransport()
  const connection = new SilentConnection(engine)
  engine.attach(connection, transport)
  t.equal(engine.connections, 1)
  t.equal(engine.clients, 1)
  t.match(engine.activities(), { keepAlive: 1, reading: 0 })
  transport.feed('GET / HTTP/1.1\r\n\r\n')
  t.equal(connection.received, 'GET / HTTP/1.1\r\n\r\n', 'the connection gets the bytes as they are')
  engine.tick()
  t.equal(connection.ticks, 1)
  engine.closeIdle()
  t.ok(connection.closed)
  t.equal(engine.connections, 0)
  t.equal(engine.clients, 0)
})
