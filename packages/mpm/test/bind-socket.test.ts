import { once } from 'node:events'
import net from 'node:net'
import t from 'tap'
import { bindSocket } from '../src/sockets/bind-socket.ts'

const EADDRINUSE = 98

const bound = (address: string, port: number, sharing: 'alone' | 'shared') => {
  const result = bindSocket({ address, port }, sharing)
  if ('errno' in result) throw new Error(`errno ${result.errno}`)
  return result.socket
}

t.test('the one private function of Node that the server needs is there and binds without listening', async (t) => {
  t.type(Reflect.get(net, '_createServerHandle'), 'function', 'net._createServerHandle is gone: bind-socket.ts needs another way')
  const socket = bound('127.0.0.1', 0, 'shared')
  t.ok(Number.isInteger(socket.fd) && socket.fd > 2)
  const server = net.createServer((connection) => connection.end('hello'))
  server.listen({ fd: socket.fd })
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  t.ok(port > 0)

  const client = net.connect(port, '127.0.0.1')
  const [data] = await once(client, 'data')
  t.equal(String(data), 'hello')
  server.close()
  socket.close()
})

t.test('several sockets share an address, and one that does not share gets an error', async (t) => {
  const first = net.createServer()
  first.listen({ port: 0, host: '127.0.0.1', reusePort: true })
  await once(first, 'listening')
  const address = first.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  bound('127.0.0.1', port, 'shared').close()
  t.strictSame(bindSocket({ address: '127.0.0.1', port }, 'alone'), { errno: EADDRINUSE })
  first.close()
})

t.test('a port of another program is reported before any socket listens', async (t) => {
  const other = net.createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  t.strictSame(bindSocket({ address: '127.0.0.1', port }, 'shared'), { errno: EADDRINUSE })
  other.close()
})

t.test('an address of another machine cannot be bound', (t) => {
  t.strictSame(bindSocket({ address: '192.0.2.1', port: 0 }, 'shared'), { errno: 99 })
  t.end()
})
