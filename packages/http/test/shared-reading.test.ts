import { once } from 'node:events'
import net from 'node:net'
import t, { type Test } from 'tap'
import { readIntoSharedBuffer } from '../src/shared-reading.ts'

/** Both ends of a connection; the server's end is an accepted socket. */
async function pair(t: Test): Promise<{ readonly client: net.Socket; readonly accepted: net.Socket }> {
  const server = net.createServer({ allowHalfOpen: true })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const client = net.connect({ port: address.port, host: '127.0.0.1' })
  const [accepted] = await once(server, 'connection')
  server.close()
  t.teardown(() => {
    client.destroy()
    accepted.destroy()
  })
  return { client, accepted }
}

t.test('accepted sockets of this Node can be read into the shared buffer', async (t) => {
  const [one, other] = [await pair(t), await pair(t)]
  const buffers = new Set<Buffer>()
  for (const { client, accepted } of [one, other]) {
    const heard = new Promise<string>((resolve) => {
      const taken = readIntoSharedBuffer(accepted, function (count, bytes) {
        t.equal(this, accepted)
        buffers.add(bytes)
        resolve(bytes.toString('latin1', 0, count))
      })
      t.equal(taken, true, 'or else a socket is read by data events, which costs time and nothing else')
    })
    client.write('hello')
    t.equal(await heard, 'hello')
  }
  t.equal(buffers.size, 1, 'all read into the same one')
})

t.test("the end of a client's data is reported after all of it", async (t) => {
  const { client, accepted } = await pair(t)
  const heard: string[] = []
  readIntoSharedBuffer(accepted, (count, bytes) => void heard.push(bytes.toString('latin1', 0, count)))
  accepted.on('end', () => heard.push('end'))
  client.end('last')
  await once(accepted, 'end')
  t.strictSame(heard, ['last', 'end'])
})

t.test('a socket that is paused reads nothing until it is resumed', async (t) => {
  const { client, accepted } = await pair(t)
  let heard = ''
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  readIntoSharedBuffer(accepted, (count, bytes) => {
    heard += bytes.toString('latin1', 0, count)
    if (heard === 'a') first.resolve()
    else second.resolve()
  })
  client.write('a')
  await first.promise
  accepted.pause()
  await new Promise<void>((resolve) => client.write('b', () => resolve()))
  t.equal(heard, 'a')
  accepted.resume()
  await second.promise
  t.equal(heard, 'ab')
})

t.test('a socket without a connection is left alone', async (t) => {
  const socket = new net.Socket()
  t.equal(
    readIntoSharedBuffer(socket, () => undefined),
    false,
  )
  socket.destroy()
})
