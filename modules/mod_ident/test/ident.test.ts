import { createServer, type Server } from 'node:net'
import t, { type Test } from 'tap'
import { type IdentPeer, remoteUser } from '../src/remote-user.ts'

const PEER: IdentPeer = { remoteAddress: '127.0.0.1', remotePort: 6193, localAddress: '127.0.0.1', localPort: 80 }

/** In milliseconds: longer than any answer takes. */
const PATIENT = 30_000

/** An ident service with one answer to every question; null for none. */
function identService(t: Test, answer: string | null): Promise<{ readonly port: number; readonly asked: string[] }> {
  const asked: string[] = []
  const service: Server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      asked.push(bytes.toString('latin1'))
      if (answer !== null) socket.end(answer)
    })
    t.teardown(() => socket.destroy())
  })
  t.teardown(() => new Promise((resolve) => service.close(resolve)))
  return new Promise((resolve) => {
    service.listen(0, '127.0.0.1', () => {
      const address = service.address()
      resolve({ port: typeof address === 'object' && address !== null ? address.port : 0, asked })
    })
  })
}

t.test('the service is asked for the ports of the connection, and its answer is the user', async (t) => {
  const { port, asked } = await identService(t, '6193 , 80 : USERID : UNIX : stjohns\r\n')
  t.equal(await remoteUser(PEER, PATIENT, () => t.fail('there is an answer'), port), 'stjohns')
  t.same(asked, ['6193,80\r\n'])
})

t.test('other answers, silence and a missing service mean that the user is unknown', async (t) => {
  for (const answer of ['6193, 80 : ERROR : NO-USER\r\n', '1, 2 : USERID : UNIX : other\r\n', 'x'.repeat(5000), '']) {
    const { port } = await identService(t, answer)
    t.equal(await remoteUser(PEER, PATIENT, () => undefined, port), 'unknown', answer.slice(0, 40))
  }
  const silent = await identService(t, null)
  const reasons: string[] = []
  t.equal(await remoteUser(PEER, 1, (reason) => reasons.push(reason), silent.port), 'unknown')
  t.equal(reasons.length, 1)
})
