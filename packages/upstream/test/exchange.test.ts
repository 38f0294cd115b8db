import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { PlainExchange, type UpstreamConnection } from '../src/index.ts'
import { Collected, exchange, getRequest, start } from './collected.ts'
import { answering, backend, poolFor } from './raw-server.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

t.test('a body is sent as framed', async (t) => {
  let received = ''
  const server = await backend((socket) => {
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (received.endsWith('END') || received.endsWith('0\r\n\r\n')) socket.write(OK)
    })
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())

  t.match(await exchange(pool, { head: 'A\r\n\r\n', body: Buffer.from('x END') }), { body: 'ok' })
  t.equal(received, 'A\r\n\r\nx END')

  received = ''
  const plain = start(pool, getRequest({ head: 'B\r\n\r\n', framing: 'length' }))
  await until(() => plain.exchange !== null)
  plain.exchange?.write('ab')
  plain.exchange?.write(Buffer.from('END'))
  plain.exchange?.endRequest()
  t.match(await plain.done, { body: 'ok' })
  t.equal(received, 'B\r\n\r\nabEND')

  received = ''
  const chunked = start(pool, getRequest({ head: 'C\r\n\r\n', framing: 'chunked' }))
  await until(() => chunked.exchange !== null)
  chunked.exchange?.write('0123456789abcdef')
  chunked.exchange?.write('')
  chunked.exchange?.write(Buffer.from('z'))
  chunked.exchange?.endRequest()
  chunked.exchange?.endRequest()
  t.match(await chunked.done, { body: 'ok' })
  t.equal(received, 'C\r\n\r\n10\r\n0123456789abcdef\r\n1\r\nz\r\n0\r\n\r\n')
  t.equal(chunked.exchange?.bytesSent, received.length)
  t.equal(server.sockets.length, 1)
})

t.test('a response may come before the request was sent; its connection is not used again', async (t) => {
  const server = await answering('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno')
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  const collected = start(pool, getRequest({ framing: 'length' }))
  t.match(await collected.done, { body: 'no', message: { status: 413 } })
  t.equal(collected.exchange?.requestEnded, false)
  t.equal(collected.exchange?.write('late'), true, 'what comes later is dropped')
  t.match(pool.figures, { open: 0 })
})

t.test('a response that comes with a reset in the middle of an upload is read', async (t) => {
  const server = await backend((socket) => {
    socket.once('data', () => {
      socket.pause()
      socket.end('HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno', () => socket.destroy())
    })
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  const collected = start(pool, getRequest({ framing: 'length' }))
  await until(() => collected.exchange !== null)
  for (let i = 0; i < 64 && !collected.ended && collected.error === null; i++) {
    collected.exchange?.write(Buffer.alloc(65_536))
    if (i % 8 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  t.match(await collected.done, { body: 'no', message: { status: 413 } })
})

t.test('the end of a response is noticed after a write has failed', async (t) => {
  // The path of a socket is short.
  const folder = mkdtempSync(join(tmpdir(), 'upstream-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'socket')
  // The backend has closed before the client reads what it sent, and answers with another write.
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.write('x', () => socket.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  t.teardown(() => server.close())
  const pool = poolFor(0, { target: { path } })
  t.teardown(() => pool.close())
  const connection = await new Promise<UpstreamConnection>((resolve, reject) => {
    pool.acquire({ onConnection: resolve, onError: reject })
  })
  const end = new Promise((resolve) => {
    const plain = new PlainExchange(connection, 0, {
      onData: () => void plain.write(Buffer.from('more')),
      onEnd: () => resolve('end'),
      onError: ({ code }) => resolve(code),
    })
    plain.write(Buffer.from('a'))
  })
  t.match(await end, /^(?:end|truncated)$/)
})

t.test('writing to a backend that does not read reports back pressure, and onDrain later', async (t) => {
  let release = (): void => {}
  const server = await backend((socket) => {
    socket.pause()
    release = () => {
      let bytes = 0
      socket.on('data', (chunk) => {
        bytes += chunk.length
        if (bytes > 33 * 1024 * 1024) socket.write(OK)
      })
      socket.resume()
    }
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  let drained = 0
  const collected = new (class extends Collected {
    onDrain(): void {
      drained++
    }
  })()
  start(pool, getRequest({ framing: 'length' }), collected)
  await until(() => collected.exchange !== null && server.sockets.length === 1)
  const first = collected.exchange?.write(Buffer.alloc(33 * 1024 * 1024))
  t.equal(first, false)
  t.equal(drained, 0)
  collected.exchange?.endRequest()
  release()
  t.match(await collected.done, { error: null })
  t.equal(drained, 1)
})

t.test('a paused response stops the backend, and nothing is lost', async (t) => {
  const size = 32 * 1024 * 1024
  let sent = 0
  const server = await backend((socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
      const more = (): void => {
        while (sent < size) {
          sent += 65_536
          if (!socket.write(Buffer.alloc(65_536, sent / 65_536))) break
        }
      }
      socket.on('drain', more)
      more()
    })
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  let received = 0
  let wrong = 0
  const collected = new (class extends Collected {
    override onData(chunk: Buffer): void {
      for (let i = 0; i < chunk.length; i += 4096) {
        if (chunk[i] !== (Math.floor((received + i) / 65_536) + 1) % 256) wrong++
      }
      received += chunk.length
      this.exchange?.pause()
    }
  })()
  start(pool, getRequest(), collected)
  await until(() => received > 0)
  const before = received
  await new Promise((resolve) => setTimeout(resolve, 50))
  t.equal(received, before, 'nothing arrives while it is paused')
  t.ok(sent < size, 'the backend waits')
  while (!collected.ended && collected.error === null) {
    collected.exchange?.resume()
    await new Promise((resolve) => setImmediate(resolve))
  }
  t.equal(received, size)
  t.equal(wrong, 0)
  t.match(pool.figures, { idle: 1 })
})

t.test('time limits hold for heads, bodies, the first byte and what is sent', async (t) => {
  const server = await backend((socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      if (text.startsWith('HEAD')) socket.write('HTTP/1.1 2')
      if (text.startsWith('BODY')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')
      if (text.startsWith('SEND')) socket.pause()
    })
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  const head = (name: string): string => `${name}\r\n\r\n`
  t.equal((await exchange(pool, { head: head('NONE'), timeout: 40 })).error?.code, 'head-timeout')
  t.equal((await exchange(pool, { head: head('HEAD'), timeout: 40 })).error?.code, 'head-timeout')
  t.match(await exchange(pool, { head: head('BODY'), timeout: 40 }), {
    error: { code: 'body-timeout', beforeBody: false },
    body: 'abc',
  })
  t.equal((await exchange(pool, { head: head('NONE'), timeout: 0, pingTimeout: 40 })).error?.code, 'ping-timeout')
  const sending = start(pool, getRequest({ head: head('SEND'), framing: 'length', timeout: 40 }))
  await until(() => sending.exchange !== null)
  sending.exchange?.write(Buffer.alloc(33 * 1024 * 1024))
  t.equal((await sending.done).error?.code, 'send-timeout')
  t.match(pool.figures, { open: 0, errors: 5 })
})

t.test('a backend is not late while its client still sends the request or does not read the response', async (t) => {
  const server = await backend((socket) => {
    socket.once('data', () => {
      socket.once('data', () => socket.write(OK))
    })
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  const collected = start(pool, getRequest({ framing: 'length', timeout: 30 }))
  await until(() => collected.exchange !== null)
  await new Promise((resolve) => setTimeout(resolve, 150))
  t.equal(collected.error, null)
  collected.exchange?.pause()
  collected.exchange?.write('x')
  collected.exchange?.endRequest()
  await new Promise((resolve) => setTimeout(resolve, 150))
  t.equal(collected.error, null)
  collected.exchange?.resume()
  t.match(await collected.done, { body: 'ok', error: null })
})

t.test('an aborted exchange calls nobody and closes its connection', async (t) => {
  const server = await answering('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc')
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  const collected = start(pool)
  await until(() => collected.body === 'abc')
  collected.exchange?.abort()
  t.match(pool.figures, { open: 0 })
  await new Promise((resolve) => setTimeout(resolve, 20))
  t.match(collected, { ended: false, error: null })
})

t.test('an upgraded connection carries bytes both ways', async (t) => {
  const server = await backend((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\nhi ')
      socket.on('data', (chunk) => socket.write(chunk))
    })
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  const { upgraded } = await exchange(pool, { upgrade: true })
  if (upgraded === null) return t.fail('not upgraded')
  let text = upgraded.rest
  upgraded.connection.sink = {
    onBytes: (bytes, count) => {
      text += bytes.toString('latin1', 0, count)
    },
    onEnd() {},
    onDrain() {},
    onClose() {},
  }
  upgraded.connection.write('there')
  await until(() => text === 'hi there')
  upgraded.connection.destroy()
  t.match(pool.figures, { open: 0 })
})

t.test('a stream passes a response on at the pace of its reader, and leaving it ends the exchange', async (t) => {
  const { ResponseStream } = await import('../src/index.ts')
  const size = 8 * 1024 * 1024
  const server = await backend((socket) => {
    socket.on('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`)
      socket.write(Buffer.alloc(size, 7))
    })
  })
  t.teardown(() => server.close())
  const pool = poolFor(server.port)
  t.teardown(() => pool.close())
  for (const leave of [false, true]) {
    let stream: InstanceType<typeof ResponseStream> | null = null
    const collected = new (class extends Collected {
      override onHead(): void {
        if (this.exchange !== null) stream = new ResponseStream(this.exchange, size)
      }
      override onData(chunk: Buffer): void {
        stream?.push(chunk)
      }
      override onEnd(): void {
        super.onEnd()
        stream?.end()
      }
    })()
    start(pool, getRequest(), collected)
    await until(() => stream !== null)
    let bytes = 0
    let largest = 0
    for await (const chunk of stream ?? []) {
      const part: Uint8Array = chunk
      bytes += part.length
      largest = Math.max(largest, part.length)
      if (part.some((byte) => byte !== 7)) t.fail('other bytes')
      await new Promise((resolve) => setImmediate(resolve))
      if (leave) break
    }
    t.ok(largest < 1024 * 1024, 'it does not collect the body')
    if (leave) t.match(pool.figures, { open: 0 })
    else t.equal(bytes, size)
  }
})
