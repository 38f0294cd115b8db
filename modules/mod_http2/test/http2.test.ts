import { type ClientHttp2Session, connect, type IncomingHttpHeaders } from 'node:http2'
import { createConnection } from 'node:net'
import { rawExchange, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import logConfig from '../../mod_log_config/src/index.ts'
import http2 from '../src/index.ts'

type TestServer = Awaited<ReturnType<typeof site>>

interface Answer {
  readonly head: IncomingHttpHeaders
  readonly text: string
}

async function serve(t: Test, config: string): Promise<TestServer & { readonly port: number }> {
  const server = await site({
    modules: [authzCore, headers, logConfig, http2],
    config: `Protocols h2c http/1.1\nCustomLog "@ROOT@/access.log" "%r %>s %b"\n${config}`,
    files: { 'docs/f.txt': 'text', 'docs/style.css': 'style', 'docs/no/f.txt': 'secret' },
  })
  t.teardown(() => server.close())
  return { ...server, port: await server.listen() }
}

function open(t: Test, port: number): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`)
  t.teardown(() => session.destroy())
  return session
}

/** Sends a text, and reads until what was received matches. */
function exchangeUntil(port: number, sent: string, end: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = createConnection(port, '127.0.0.1', () => socket.write(sent))
    socket.setEncoding('latin1')
    socket.on('data', (chunk: string) => {
      text += chunk
      if (!end.test(text)) return
      socket.destroy()
      resolve(text)
    })
    socket.on('error', reject)
    socket.on('end', () => reject(new Error(`the server closed the connection after ${JSON.stringify(text)}`)))
  })
}

function get(session: ClientHttp2Session, path: string, more: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, ':authority': 'localhost', ...more })
    let head: IncomingHttpHeaders = {}
    let text = ''
    stream.setEncoding('latin1')
    stream.on('response', (received) => (head = received))
    stream.on('data', (chunk: string) => (text += chunk))
    stream.on('error', reject)
    stream.on('close', () => resolve({ head, text }))
  })
}

t.test('requests of HTTP/2 pass the same access rules as others, and their error lines name a remote', async (t) => {
  const server = await serve(t, '<Directory "@ROOT@/docs/no">\nRequire all denied\n</Directory>')
  const session = open(t, server.port)
  const [allowed, denied] = await Promise.all([get(session, '/f.txt'), get(session, '/no/f.txt')])
  t.equal(allowed.head[':status'], 200)
  t.equal(allowed.text, 'text')
  t.equal(denied.head[':status'], 403)
  t.match(server.errors().join('\n'), /\[remote 127\.0\.0\.1:\d+\] AH01630: client denied/)
})

t.test('variables describe the stream', async (t) => {
  const names = ['HTTP2', 'H2PUSH', 'H2_PUSHED', 'H2_STREAM_ID', 'H2_STREAM_TAG']
  const server = await serve(t, names.map((name) => `Header set X-${name} "%{${name}}e"`).join('\n'))
  const { head } = await get(open(t, server.port), '/f.txt')
  t.match(head, { 'x-http2': 'on', 'x-h2push': /^(on|off)$/, 'x-h2_stream_id': '1', 'x-h2_stream_tag': /^\d+-\d+-1$/ })
  const plain = await rawExchange(server.port, 'GET /f.txt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  t.match(plain, /\r\nX-HTTP2: \(null\)\r\n/)
})

t.test('the first response of a connection of HTTP/1.1 names h2c, and later ones do not', async (t) => {
  const server = await serve(t, '')
  const request = 'GET /f.txt HTTP/1.1\r\nHost: localhost\r\n'
  const text = await rawExchange(server.port, `${request}\r\n${request}Connection: close\r\n\r\n`)
  t.equal(text.match(/\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n/g)?.length, 1)
})

t.test('a request with Upgrade: h2c is answered by HTTP/2, unless H2Upgrade is off or access is denied', async (t) => {
  const server = await serve(
    t,
    '<Location "/style.css">\nH2Upgrade off\n</Location>\n<Location "/no">\nRequire all denied\n</Location>',
  )
  const ask = (path: string, end: RegExp): Promise<string> =>
    exchangeUntil(
      server.port,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
      end,
    )
  const [upgraded, off, denied] = await Promise.all([
    ask('/f.txt', /text$/),
    ask('/style.css', /style$/),
    ask('/no/f.txt', /<\/html>\s*$/),
  ])
  t.match(upgraded, /^HTTP\/1\.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n\0/)
  t.match(off, /^HTTP\/1\.1 200 /)
  t.match(denied, /^HTTP\/1\.1 403 /)
})

t.test('resources are hinted at and pushed where the configuration says so', async (t) => {
  const server = await serve(t, 'H2EarlyHints on\n<Location "/f.txt">\nH2PushResource /style.css\n</Location>')
  const session = open(t, server.port)
  const pushed: string[] = []
  const ended = new Promise<void>((resolve) => {
    session.on('stream', (stream, head) => {
      pushed.push(String(head[':path']))
      stream.resume()
      stream.on('close', resolve)
    })
  })
  const hints: unknown[] = []
  const stream = session.request({ ':path': '/f.txt', ':authority': 'localhost' })
  stream.on('headers', (head) => hints.push(head[':status'], head.link))
  stream.resume()
  await ended
  t.same(pushed, ['/style.css'])
  t.same(hints, [103, '</style.css>; rel=preload'])
})

t.test('a host that does not speak HTTP/2 is misdirected', async (t) => {
  const hosts =
    '<VirtualHost *:*>\nServerName localhost\n</VirtualHost>\n<VirtualHost *:*>\nServerName other\nProtocols http/1.1\n</VirtualHost>'
  const server = await serve(t, hosts)
  const session = open(t, server.port)
  const [own, other] = await Promise.all([get(session, '/f.txt'), get(session, '/f.txt', { ':authority': 'other' })])
  t.equal(own.head[':status'], 200)
  t.equal(other.head[':status'], 421)
})

t.test('without h2c in Protocols, the preface is a bad request', async (t) => {
  const server = await site({ modules: [authzCore, http2], config: '', files: { 'docs/f.txt': 'text' } })
  t.teardown(() => server.close())
  const port = await server.listen()
  t.match(await rawExchange(port, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), /^HTTP\/1\.1 400 /)
})

t.test('rules for all responses apply once more to the page that refuses ranges', async (t) => {
  const server = await serve(t, 'Header always add X-Rule yes\nHeader set X-Other yes')
  const session = open(t, server.port)
  const { head } = await get(session, '/f.txt', { range: 'bytes=9-' })
  t.equal(head[':status'], 416)
  t.equal(head['x-rule'], 'yes, yes')
  t.equal(head['x-other'], undefined)
  const plain = await rawExchange(
    server.port,
    'GET /f.txt HTTP/1.1\r\nHost: localhost\r\nRange: bytes=9-\r\nConnection: close\r\n\r\n',
  )
  t.equal(plain.match(/X-Rule: yes/g)?.length, 1)
})

t.test('requests that exceed a limit are answered as over HTTP/1.1, and logged with the code of mod_http2', async (t) => {
  const limits = 'LogLevel info\nLimitRequestLine 100\nLimitRequestFieldSize 100\nLimitRequestFields 5'
  const server = await serve(t, limits)
  const session = open(t, server.port)
  const many = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, '1']))
  const statuses = [
    (await get(session, `/${'p'.repeat(100)}`)).head[':status'],
    (await get(session, '/f.txt', { long: 'v'.repeat(100) })).head[':status'],
    (await get(session, '/f.txt', many)).head[':status'],
    (await get(session, `/${'p'.repeat(99)}`)).head[':status'],
  ]
  t.same(statuses, [414, 431, 431, 404])
  const lines = server.errors().filter((line) => line.includes('[http2:info]'))
  t.match(lines, [
    /AH10178: h2_stream\(\d+-0-1,IDLE\): Request pseudo header exceeds LimitRequestFieldSize: :path$/,
    /AH10180: h2_stream\(\d+-0-3,IDLE\): Request header exceeds LimitRequestFieldSize\(100\): long$/,
    /AH10181: h2_stream\(\d+-0-5,IDLE\): Number of request headers exceeds LimitRequestFields\(5\)$/,
  ])
  t.equal(lines.length, 3)
})

t.test('what sections announce replaces what their server announces, and Push-Policy says what was promised', async (t) => {
  const lines = [
    ...['H2EarlyHints on', 'H2PushResource /style.css', 'H2EarlyHint X-Hint server', 'H2EarlyHint Link "</s.js>; rel=preload"'],
    ...['<Location "/f.txt">', 'H2PushResource add /style.css critical', 'H2EarlyHint X-Hint section', '</Location>'],
  ]
  const server = await serve(t, lines.join('\n'))
  const session = open(t, server.port)
  const order: string[] = []
  session.on('stream', (stream, head) => {
    order.push(`promise ${head[':path']}`)
    stream.resume()
  })
  const hinted = async (path: string, more: Record<string, string> = {}): Promise<unknown> => {
    const stream = session.request({ ':path': path, ':authority': 'localhost', ...more })
    let hints: unknown = null
    stream.on('headers', (head) => {
      order.push('103')
      hints = [head.link, head['x-hint'], head['push-policy']]
    })
    stream.resume()
    await new Promise((resolve) => stream.on('close', resolve))
    return hints
  }
  t.same(await hinted('/f.txt'), ['</style.css>; rel=preload; critical', 'section', 'default'])
  t.same(order, ['promise /style.css', '103'])
  t.same(await hinted('/'), ['</style.css>; rel=preload, </s.js>; rel=preload', 'server', 'default'])
  t.equal(await hinted('/f.txt', { expect: '100-continue' }), null)
})
