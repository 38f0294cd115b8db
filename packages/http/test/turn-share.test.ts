import net from 'node:net'
import { HttpEngine } from '@gatewright/http'
import t from 'tap'
import { TurnShare } from '../src/turn-share.ts'
import { answerPlainly, get, type Handler, statuses, TestHost, until } from './harness.ts'

/**
 * Requests between two looks of the test although each of them takes longer than the share: those of 16 reads before the end of a
 * turn and of 16 at its end, with two requests in each.
 */
const MOST = 64

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

t.test('a turn has time for all that arrives while it is short', (t) => {
  const share = new TurnShare(() => 7)
  for (let read = 0; read < 10_000; read++) if (!share.takesRead()) t.fail(`read ${read} is postponed`)
  t.end()
})

t.test('what arrives when the share is spent waits in order, and what comes later waits after it', async (t) => {
  let now = 0
  const share = new TurnShare(() => now++)
  let served = 0
  while (share.takesRead()) served++
  t.equal(served, 40, 'the share is looked at once in eight reads')
  const order: number[] = []
  for (let number = 0; number < 60; number++) share.postpone({ proceed: () => order.push(number) })
  share.end()
  t.equal(order.length, 40)
  t.notOk(share.takesRead(), 'others wait')
  share.postpone({ proceed: () => order.push(60) })
  share.end()
  t.same(
    order,
    Array.from({ length: 61 }, (_, number) => number),
  )
  t.ok(share.takesRead())
})

t.test('one that throws does not keep the others waiting', (t) => {
  const share = new TurnShare(() => 0)
  const called: string[] = []
  share.postpone({
    proceed: () => {
      throw new Error('broken')
    },
  })
  share.postpone({ proceed: () => called.push('next') })
  t.throws(() => share.end(), { message: 'broken' })
  share.end()
  t.same(called, ['next'])
  t.end()
})

t.test('requests that arrive at once leave time for others between them, and all are served', async (t) => {
  const perTurn = new Map<number, number>()
  let turns = 0
  const slowly: Handler = (exchange) => {
    const end = performance.now() + 5
    while (performance.now() < end);
    perTurn.set(turns, (perTurn.get(turns) ?? 0) + 1)
    answerPlainly(exchange)
  }
  const engine = new HttpEngine(new TestHost({}, slowly))
  const listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void engine.accept(socket))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    listener.close()
    engine.close()
  })
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const { port } = address
  const texts: string[] = []
  const sockets = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const socket = net.connect({ port, host: '127.0.0.1' })
      t.teardown(() => socket.destroy())
      texts[index] = ''
      socket.setEncoding('latin1').on('data', (text: string) => {
        texts[index] += text
      })
      await new Promise<void>((resolve) => socket.once('connect', () => resolve()))
      return socket
    }),
  )
  await until(() => engine.connections === sockets.length)
  // The second request of each connection arrives while the first may wait.
  for (const socket of sockets) socket.write(get('/1'))
  for (const socket of sockets) socket.write(get('/2', 'Connection: close\r\n'))
  while (texts.some((text) => statuses(text).length < 2)) {
    turns++
    await turn()
  }
  t.same(
    texts.map((text) => statuses(text)),
    texts.map(() => [200, 200]),
  )
  t.ok(Math.max(...perTurn.values()) <= MOST, `at most ${Math.max(...perTurn.values())} in a turn`)
})
