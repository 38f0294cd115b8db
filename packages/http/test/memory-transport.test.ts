import { MemoryTransport, type TransportSink } from '@gatewright/http'
import t from 'tap'
import { sleep } from './harness.ts'

class Sink implements TransportSink {
  readonly heard: string[] = []
  onBytes(chunk: Buffer): void {
    this.heard.push(chunk.toString('latin1'))
  }
  onEnd(): void {
    this.heard.push('end')
  }
  onDrain(): void {
    this.heard.push('drain')
  }
  onClose(): void {
    this.heard.push('close')
  }
}

function attached(): { transport: MemoryTransport; sink: Sink } {
  const transport = new MemoryTransport()
  const sink = new Sink()
  transport.attach(sink)
  return { transport, sink }
}

t.test('what the client sends is delivered at once, also what it sent before', async (t) => {
  const transport = new MemoryTransport()
  transport.feed('a')
  const sink = new Sink()
  transport.attach(sink)
  transport.feed(Buffer.from('b'))
  transport.feedEnd()
  t.same(sink.heard, ['a', 'b', 'end'])
})

t.test('a paused transport keeps arriving data, including the end', async (t) => {
  const { transport, sink } = attached()
  transport.pause()
  transport.feed('a')
  transport.feedEnd()
  t.same(sink.heard, [])
  transport.resume()
  t.same(sink.heard, ['a', 'end'])
})

t.test('writes are collected while corked, and their callbacks come later', async (t) => {
  const { transport } = attached()
  let done = 0
  transport.cork()
  transport.cork()
  transport.write('a', () => done++)
  transport.uncork()
  t.equal(transport.text, '')
  t.equal(transport.writableLength, 1)
  transport.uncork()
  t.equal(transport.text, 'a')
  t.equal(done, 0)
  await sleep(0)
  t.equal(done, 1)
})

t.test('write answers false above 64 KiB, and drain follows when the client reads', async (t) => {
  const { transport, sink } = attached()
  transport.stall()
  t.equal(transport.write('x'.repeat(65_535), null), true)
  t.equal(transport.write('x', null), false)
  t.equal(transport.unsentBytes, 65_536)
  transport.unstall()
  t.equal(transport.unsentBytes, 0)
  await sleep(0)
  t.same(sink.heard, ['drain'])
})

t.test('destroySoon sends what waits and then closes, destroy drops it and fails its callbacks', async (t) => {
  const soon = attached()
  soon.transport.stall()
  soon.transport.write('a', null)
  soon.transport.destroySoon()
  t.notOk(soon.transport.closed)
  soon.transport.unstall()
  t.ok(soon.transport.closed)
  t.equal(soon.transport.text, 'a')
  await sleep(0)
  t.same(soon.sink.heard, ['close'])

  const now = attached()
  let error: Error | null | undefined
  now.transport.stall()
  now.transport.write('a', (reason) => {
    error = reason
  })
  now.transport.destroy()
  now.transport.destroy()
  await sleep(0)
  t.equal(now.transport.text, '')
  t.match(error, { message: /closed/ })
  t.same(now.sink.heard, ['close'])
})

t.test('after end nothing more is sent, but reading continues', async (t) => {
  const { transport, sink } = attached()
  transport.end()
  transport.write('a', null)
  transport.feed('b')
  t.equal(transport.text, '')
  t.same(sink.heard, ['b'])
})

t.test('onChange reports new output', async (t) => {
  const { transport } = attached()
  const seen: string[] = []
  transport.onChange = () => seen.push(`${transport.text} ${transport.closed}`)
  transport.write('a', null)
  transport.destroy()
  await sleep(0)
  t.same(seen, ['a false', 'a true'])
})
