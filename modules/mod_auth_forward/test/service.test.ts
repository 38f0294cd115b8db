import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import t from 'tap'
import { Service } from '../src/service.ts'

t.test('a body that never comes keeps a connection no longer than the time for an answer', async (t) => {
  const connected = Promise.withResolvers<Socket>()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n'))
    connected.resolve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server does not listen')
  const service = new Service()
  t.teardown(() => service.end())
  t.match(await service.ask(new URL(`http://127.0.0.1:${address.port}/`), [], 2_000), { status: 200 })
  await once(await connected.promise, 'close')
  t.pass('the connection was closed')
})
