import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyScgi from '../src/index.ts'
import { requestBlock } from '../src/request-block.ts'

const modules = [authzCore, proxy, proxyScgi]

/** A back end that replies as a test wants, when the whole request has arrived. */
async function backEnd(t: Test, reply: (socket: Socket) => void): Promise<{ readonly port: number; readonly seen: string[] }> {
  const seen: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.setEncoding('latin1')
    let text = ''
    socket.on('data', (part) => {
      text += String(part)
      const [, digits = ''] = /^(\d+):/.exec(text) ?? []
      const end = digits.length + 1 + Number(digits) + 1
      const [, length = '0'] = /CONTENT_LENGTH\0(\d+)\0/.exec(text) ?? []
      if (digits === '' || text.length < end + Number(length)) return
      seen.push(text)
      reply(socket)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0, seen }
}

const endWith =
  (text: string) =>
  (socket: Socket): void =>
    void socket.end(text, 'latin1')

t.test('a request is a netstring that begins with the length of the body', async (t) => {
  t.equal(requestBlock([['A', 'b']], '0').toString('latin1'), '28:CONTENT_LENGTH\x000\0SCGI\x001\0A\0b\0,')
  t.equal(
    requestBlock(
      [
        ['A', 'x\0HTTPS\0on'],
        ['CONTENT_LENGTH', '7'],
      ],
      '3',
    ).toString('latin1'),
    '24:CONTENT_LENGTH\x003\0SCGI\x001\0,',
  )
  const { port, seen } = await backEnd(t, endWith('Status: 201 Made\r\nContent-Type: text/plain\r\n\r\nyes'))
  const server = await site({ modules, config: `ProxyPass /a scgi://127.0.0.1:${port}/b` })
  t.teardown(() => server.close())
  const headers = { 'Content-Length': '3', Proxy: 'evil', Authorization: 'Basic eDp5' }
  t.match(await server.inject({ method: 'POST', target: '/a/c', headers, body: 'abc' }), { status: 201, body: 'yes' })
  t.match(seen[0], /^\d+:CONTENT_LENGTH\x003\0SCGI\x001\0[\s\S]*,abc$/)
  t.match(seen[0], `\0SCRIPT_FILENAME\0proxy:scgi://127.0.0.1:${port}/b/c\0`)
  t.notMatch(seen[0], /HTTP_PROXY|HTTP_AUTHORIZATION/)
})

t.test('a request without a length is refused, and nothing is sent', async (t) => {
  const { port, seen } = await backEnd(t, endWith('\r\n\r\n'))
  const server = await site({ modules, config: `ProxyPass / scgi://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const headers = { 'Transfer-Encoding': 'chunked' }
  t.match(await server.inject({ method: 'POST', target: '/', headers, body: '0\r\n\r\n' }), { status: 411 })
  t.same(seen, [])
})

t.test('a head in parts is read, and one that is none is an error', async (t) => {
  const parts = ['Sta', 'tus: 404 Gone\r', '\nX: 1\r\n\r', '\n', 'bo', 'dy']
  const split = await backEnd(t, (socket) => {
    const send = (): void => {
      const part = parts.shift()
      if (part === undefined) return void socket.end()
      socket.write(part, () => setImmediate(send))
    }
    send()
  })
  const server = await site({ modules, config: `ProxyPass / scgi://127.0.0.1:${split.port}/` })
  t.teardown(() => server.close())
  t.match(await server.inject('/'), { status: 404, body: 'body' })
  for (const text of [
    '',
    'garbage',
    'Content-Type: x\r\n',
    'no colon\r\n\r\n',
    'Status: 42\r\n\r\n',
    `X: ${'a'.repeat(9000)}\r\n\r\n`,
  ]) {
    const lying = await backEnd(t, endWith(text))
    const front = await site({ modules, config: `ProxyPass / scgi://127.0.0.1:${lying.port}/` })
    t.teardown(() => front.close())
    t.match(await front.inject('/'), { status: 500 }, JSON.stringify(text.slice(0, 20)))
  }
})

t.test('a response that is reset breaks the client off', async (t) => {
  const { port } = await backEnd(t, (socket) => {
    socket.write('Content-Type: text/plain\r\n\r\nstart', () => setTimeout(() => socket.resetAndDestroy(), 30))
  })
  const server = await site({ modules, config: `ProxyPass / scgi://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const client = connect(await server.listen(), '127.0.0.1')
  client.setEncoding('latin1')
  let got = ''
  client.on('data', (part) => {
    got += String(part)
  })
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(client, 'close')
  t.match(got, /start/)
  t.notMatch(got, /\r\n0\r\n\r\n$/)
})

t.test('an endless response is read at the pace of the client', async (t) => {
  let written = 0
  const { port } = await backEnd(t, (socket) => {
    const chunk = Buffer.alloc(65_536)
    socket.write('Content-Type: text/plain\r\n\r\n')
    const more = (): void => {
      while (!socket.destroyed && written < 64 * 1024 * 1024) {
        written += chunk.length
        if (!socket.write(chunk)) return
      }
    }
    socket.on('drain', more)
    more()
  })
  const server = await site({ modules, config: `ProxyPass / scgi://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const client = connect(await server.listen(), '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(client, 'data')
  client.pause()
  let before = -1
  while (before !== written) {
    before = written
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  t.ok(written < 32 * 1024 * 1024, `${written} bytes were taken`)
  client.destroy()
})

t.test('a path in Location is served by this server, unless that is off', async (t) => {
  const { port } = await backEnd(t, endWith('Location: /here.txt\r\n\r\n'))
  const config = `ProxyPass /here.txt !
<Location /off>
ProxySCGIInternalRedirect Off
</Location>
ProxyPass / scgi://127.0.0.1:${port}/`
  const server = await site({ modules, config, files: { 'docs/here.txt': 'local' } })
  t.teardown(() => server.close())
  t.match(await server.inject('/x'), { status: 200, body: 'local' })
  t.match(await server.inject('/off'), { status: 200, body: '' })
})

t.test('a file is sent only where ProxySCGISendfile is on', async (t) => {
  let path = ''
  const { port } = await backEnd(t, (socket) => void socket.end(`X-Sendfile: ${path}\r\n\r\nfrom the script`))
  const config = `<Location /on>
ProxySCGISendfile On
</Location>
ProxyPass / scgi://127.0.0.1:${port}/`
  const server = await site({ modules, config, files: { 'docs/sent.txt': 'the file' } })
  t.teardown(() => server.close())
  path = '/no/such/file'
  t.match(await server.inject('/on'), { status: 500 })
  t.ok(server.errors().some((line) => line.includes("AH00864: Subrequest to file '/no/such/file' not possible.")))
  t.match(await server.inject('/off'), { status: 200, body: 'from the script' })
})
