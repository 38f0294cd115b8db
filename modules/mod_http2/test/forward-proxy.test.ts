import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { createServer, type Server } from 'node:net'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import proxyConnect from '../../mod_proxy_connect/src/index.ts'
import proxyHttp from '../../mod_proxy_http/src/index.ts'
import http2 from '../src/index.ts'

/** A server that answers the first bytes of each connection with a page of HTTP/1.1 that repeats them. */
async function repeatingServer(t: Test): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes: Buffer) => {
      const text = bytes.toString('latin1').split('\r\n')[0]
      socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`)
    })
  })
  return listening(t, server)
}

/** The port of a server that listens until the end of the test. */
async function listening(t: Test, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

async function forwardProxy(t: Test, lines: string): Promise<ClientHttp2Session> {
  const server = await site({
    modules: [authzCore, http2, proxy, proxyConnect, proxyHttp],
    config: `Protocols h2c http/1.1\n${lines}`,
    files: { 'docs/f.txt': 'own file' },
  })
  t.teardown(() => server.close())
  const session = connect(`http://127.0.0.1:${await server.listen()}`)
  t.teardown(() => session.destroy())
  return session
}

/** Status and content of the response. */
async function received(stream: ClientHttp2Stream): Promise<string> {
  let status = ''
  let text = ''
  stream.on('response', (head) => {
    status = String(head[':status'])
  })
  stream.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk
  })
  await once(stream, 'close')
  return `${status} ${text}`
}

t.test('CONNECT by HTTP/2 reaches servers through the forward proxy, on the ports that AllowCONNECT names', async (t) => {
  const port = await repeatingServer(t)
  const session = await forwardProxy(t, `ProxyRequests On\nAllowCONNECT ${port}`)
  const stream = session.request({ ':method': 'CONNECT', ':authority': `127.0.0.1:${port}` })
  const all = received(stream)
  stream.write('HELLO tunnel\r\n')
  t.equal(await all, '200 HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nHELLO tunnel')
  const refused = await received(session.request({ ':method': 'CONNECT', ':authority': '127.0.0.1:1' }))
  t.match(refused, /^403 /)
})

t.test('without a forward proxy, CONNECT by HTTP/2 is refused', async (t) => {
  const session = await forwardProxy(t, '')
  t.match(await received(session.request({ ':method': 'CONNECT', ':authority': '127.0.0.1:80' })), /^405 /)
})

t.test('with H2ProxyRequests, requests of HTTP/2 ask the server that they name; without, this one', async (t) => {
  const port = await repeatingServer(t)
  const request = { ':path': '/f.txt', ':authority': `127.0.0.1:${port}` }
  const off = await forwardProxy(t, 'ProxyRequests On')
  t.equal(await received(off.request(request)), '200 own file')
  const on = await forwardProxy(t, 'ProxyRequests On\nH2ProxyRequests on')
  t.equal(await received(on.request(request)), '200 GET /f.txt HTTP/1.1')
})

/** Another proxy, which replies to the first bytes of each connection, and then repeats what it gets. */
async function secondProxy(t: Test, reply: string): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      if (reply === '') return void socket.end()
      socket.write(reply)
      socket.on('data', (bytes: Buffer) => void socket.end(`again: ${bytes.toString('latin1')}`))
    })
  })
  return listening(t, server)
}

t.test('CONNECT by HTTP/2 reaches servers through a second proxy, whose refusals are relayed', async (t) => {
  const connectBy = async (reply: string): Promise<string> => {
    const session = await forwardProxy(t, `ProxyRequests On\nProxyRemote * http://127.0.0.1:${await secondProxy(t, reply)}`)
    const stream = session.request({ ':method': 'CONNECT', ':authority': 'example.org:443' })
    stream.once('response', (head) => {
      if (head[':status'] === 200) stream.write('hello')
      else stream.end()
      t.equal(head['proxy-authenticate'], reply.includes('407') ? 'Basic realm="x"' : undefined)
      t.equal(head['x-proxy'], reply.includes('X-Proxy') ? 'second' : undefined)
    })
    return received(stream)
  }
  t.equal(await connectBy('HTTP/1.0 200 Connection Established\r\nX-Proxy: second\r\n\r\nfirst '), '200 first again: hello')
  t.match(await connectBy('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'), /^403 <!DOCTYPE/)
  t.match(await connectBy('HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n'), /^407 /)
  for (const reply of ['', 'hello\r\n\r\n', 'HTTP/1.1 204 No Content\r\n\r\n', 'HTTP/1.1 200 OK\r\nX: '.padEnd(9000, 'x')])
    t.match(await connectBy(reply), /^502 /, reply.slice(0, 30))
})
