import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { SocketTransport } from '../src/socket-transport.ts'
import { flushAtTurnEnd } from '../src/turn-end.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function pair(t: Test): Promise<{ readonly transport: SocketTransport; readonly peer: Socket }> {
  const server = createServer()
  t.teardown(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const peer = connect(address.port, '127.0.0.1')
  t.teardown(() => peer.destroy())
  const [socket]: Socket[] = await once(server, 'connection')
  if (socket === undefined) throw new Error('no connection')
  return { transport: new SocketTransport(socket, null), peer }
}

t.test('what is held in a turn is flushed at its end, once and in order', async (t) => {
  const flushed: number[] = []
  for (const number of [1, 2, 3]) flushAtTurnEnd({ flush: () => flushed.push(number) })
  t.same(flushed, [])
  await turn()
  t.same(flushed, [1, 2, 3])
  await turn()
  t.equal(flushed.length, 3)
})

t.test('many that are held do not wait for a long turn', async (t) => {
  let flushed = 0
  for (let count = 0; count < 64; count++) flushAtTurnEnd({ flush: () => void flushed++ })
  t.equal(flushed, 64)
  flushAtTurnEnd({ flush: () => void flushed++ })
  await turn()
  t.equal(flushed, 65)
})

t.test('held writes are unsent until the end of the turn, and arrive in order with those after them', async (t) => {
  const { transport, peer } = await pair(t)
  transport.holdUntilTurnEnd()
  transport.write('a', null)
  transport.write(Buffer.from('b'), null)
  t.equal(transport.unsentBytes, 2)
  await turn()
  t.equal(transport.unsentBytes, 0)
  transport.write('c', null)
  transport.end()
  let text = ''
  peer.setEncoding('latin1').on('data', (part: string) => (text += part))
  await once(peer, 'end')
  t.equal(text, 'abc')
})

t.test('a connection that closes in the same turn sends what is held', async (t) => {
  for (const close of ['end', 'destroySoon'] as const) {
    const { transport, peer } = await pair(t)
    transport.holdUntilTurnEnd()
    transport.write('last words', null)
    transport[close]()
    let text = ''
    peer.setEncoding('latin1').on('data', (part: string) => (text += part))
    await once(peer, 'end')
    t.equal(text, 'last words', close)
  }
})

t.test('a large write sends what is held before it', async (t) => {
  const { transport, peer } = await pair(t)
  transport.holdUntilTurnEnd()
  transport.write('first ', null)
  transport.write(Buffer.alloc(20_000, 'x'), null)
  t.equal(transport.unsentBytes, 0, 'it does not wait for the end of the turn')
  transport.write(' last', null)
  transport.end()
  let text = ''
  peer.setEncoding('latin1').on('data', (part: string) => (text += part))
  await once(peer, 'end')
  t.equal(text, `first ${'x'.repeat(20_000)} last`)
})
