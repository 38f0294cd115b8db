import net from 'node:net'
import t from 'tap'
import { SmallWrites } from '../src/small-writes.ts'
import { SocketTransport } from '../src/socket-transport.ts'

t.test('small writes become one buffer in their order', async (t) => {
  const small = new SmallWrites()
  t.equal(small.take(), null)
  t.ok(small.add('head\u00e9\r\n'))
  t.ok(small.add(Buffer.from([0, 255])))
  t.ok(small.add('end'))
  t.equal(small.bytes, 12)
  t.same(small.take(), Buffer.from('head\u00e9\r\n\0\u00ffend', 'latin1'))
  t.equal(small.bytes, 0)
  t.equal(small.take(), null)
})

t.test('a write that would make too many bytes is not kept, and one alone is not copied', async (t) => {
  const small = new SmallWrites()
  t.ok(small.add('x'.repeat(16_000)))
  t.notOk(small.add('y'.repeat(400)))
  t.equal(small.take(), 'x'.repeat(16_000))
})

/** A transport, the sizes of the writes that its socket is asked for, and what the other end receives. */
async function transport(t: typeof import('tap').default | import('tap').Test) {
  const accepted: Promise<net.Socket>[] = []
  const server = net.createServer()
  accepted.push(new Promise((resolve) => server.once('connection', resolve)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const socket = net.connect(address.port, '127.0.0.1')
  const other = await accepted[0]
  t.teardown(() => {
    socket.destroy()
    other.destroy()
    server.close()
  })
  let received = ''
  other.on('data', (chunk: Buffer) => {
    received += chunk.toString('latin1')
  })
  const ended = new Promise<string>((resolve) => other.once('end', () => resolve(received)))
  const writes: number[] = []
  const write = socket.write.bind(socket)
  Reflect.set(socket, 'write', (data: Buffer | string, ...rest: []) => {
    writes.push(data.length)
    return write(data, ...rest)
  })
  return { transport: new SocketTransport(socket, null), writes, ended, socket }
}

t.test('what is written between cork and uncork is one write of the socket', async (t) => {
  const { transport: it, writes, ended } = await transport(t)
  it.cork()
  it.write('head ', null)
  it.cork()
  it.write(Buffer.from('chunk '), null)
  it.uncork()
  t.same(writes, [], 'calls nest')
  t.equal(it.writableLength, 11)
  it.write('last', null)
  it.uncork()
  t.same(writes, [15])
  it.end()
  t.equal(await ended, 'head chunk last')
})

t.test('a large write and one with a callback follow what was small, in order', async (t) => {
  const { transport: it, ended } = await transport(t)
  const large = 'L'.repeat(300_000)
  let isDone = false
  it.cork()
  it.write('a', null)
  it.write(large, null)
  it.write('b', null)
  it.write('c', () => {
    isDone = true
  })
  it.write('d', null)
  it.uncork()
  it.write('e', null)
  it.end()
  t.equal(await ended, `a${large}bcde`)
  t.ok(isDone)
})

t.test('what is corked is sent before the end, also if uncork follows', async (t) => {
  for (const end of ['end', 'destroySoon'] as const) {
    const { transport: it, ended } = await transport(t)
    it.cork()
    it.cork()
    it.write('all of it', null)
    it[end]()
    it.uncork()
    it.uncork()
    t.equal(await ended, 'all of it')
  }
})

t.test('after a write that returned false, corked writes return false until the drain', async (t) => {
  const { transport: it, socket } = await transport(t)
  let drained = 0
  it.attach({ onBytes: () => {}, onEnd: () => {}, onClose: () => {}, onDrain: () => drained++ })
  t.equal(it.write('x'.repeat(20_000_000), null), false)
  it.cork()
  t.equal(it.write('small', null), false)
  it.uncork()
  await new Promise<void>((resolve) => socket.once('drain', resolve))
  t.equal(drained, 1)
  t.equal(it.writableLength, 0)
})
