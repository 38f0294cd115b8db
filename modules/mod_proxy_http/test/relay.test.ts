import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import authzHost from '../../mod_authz_host/src/index.ts'
import headers from '../../mod_headers/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import rewrite from '../../mod_rewrite/src/index.ts'
import setenvif from '../../mod_setenvif/src/index.ts'
import proxyHttp from '../src/index.ts'

const modules = [authzCore, authzHost, proxy, proxyHttp]

/** A backend that answers each connection by hand. */
async function backend(t: Test, serve: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => void server.close())
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** One that keeps what it received, and answers with the same bytes each time. */
async function recording(t: Test, answer: string): Promise<{ readonly port: number; readonly received: string[] }> {
  const received: string[] = []
  const port = await backend(t, (socket) => {
    socket.setEncoding('latin1')
    socket.on('data', (text) => {
      received.push(String(text))
      socket.end(answer, 'latin1')
    })
  })
  return { port, received }
}

const HELLO = 'HTTP/1.1 200 Fine\r\nDate: yesterday\r\nX: 1\r\nX: 2\r\nContent-Length: 5\r\n\r\nhello'

t.test('a request is passed on with its fields, and without those of the connection', async (t) => {
  const { port, received } = await recording(t, HELLO)
  const server = await site({ modules, config: `ProxyPass /a http://127.0.0.1:${port}/b` })
  t.teardown(() => server.close())
  const response = await server.inject({
    target: '/a/%41%20b?q',
    headers: { Connection: 'x-hop', 'X-Hop': '1', TE: 'x', 'X-Kept': '2' },
  })
  t.match(response, { status: 200, body: 'hello' })
  t.match(received[0], /^GET \/b\/A%20b\?q HTTP\/1\.1\r\nHost: 127\.0\.0\.1:\d+\r\n/)
  t.notMatch(received[0], /x-hop|\r\nTE:/i)
  t.match(received[0], /\r\nX-Kept: 2\r\n[\s\S]*\r\nConnection: Keep-Alive\r\n\r\n$/)
})

t.test('nothing is sent to a backend before access is granted', async (t) => {
  const { port, received } = await recording(t, HELLO)
  const rules = '<Proxy "*">\nRequire all denied\n</Proxy>\n<Location /open>\nRequire all granted\n</Location>'
  const server = await site({ modules, config: `ProxyPass / http://127.0.0.1:${port}/\n${rules}` })
  t.teardown(() => server.close())
  t.match(await server.inject('/closed'), { status: 403 })
  t.same(received, [])
  t.match(await server.inject('/open'), { status: 200 })
  t.equal(received.length, 1)
})

t.test('line ends and zero bytes of a path never reach the request line of a backend', async (t) => {
  const { port, received } = await recording(t, HELLO)
  const server = await site({ modules, config: `ProxyPassMatch ^/(.*) http://127.0.0.1:${port}/$1` })
  t.teardown(() => server.close())
  t.match(await server.inject('/a%00b'), { status: 404 })
  t.same(received, [])
  await server.inject('/a%0d%0aX-Evil:%201')
  for (const text of received) t.notMatch(text, /\r\nX-Evil/)
})

t.test('a response that is broken off closes the connection of the client', async (t) => {
  const { port } = await recording(t, 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc')
  const server = await site({ modules, config: `ProxyPass / http://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const socket = connect(await server.listen(), '127.0.0.1')
  socket.setEncoding('latin1')
  let got = ''
  socket.on('data', (text) => {
    got += text
  })
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(socket, 'close')
  t.match(got, /\r\nContent-Length: 10\r\n\r\nabc$/)
  t.ok(server.errors().some((line) => line.includes('AH01110: error reading response')))
})

t.test('a client that leaves ends the request to the backend', async (t) => {
  let closed: () => void = () => {}
  const whenClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  let asked: () => void = () => {}
  const whenAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const port = await backend(t, (socket) => {
    socket.once('data', () => asked())
    socket.once('close', () => closed())
  })
  const server = await site({ modules, config: `ProxyPass / http://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const socket = connect(await server.listen(), '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await whenAsked
  socket.resetAndDestroy()
  await whenClosed
  t.pass('the backend has noticed')
})

t.test('a proxy for any server is closed unless ProxyRequests opens it', async (t) => {
  const { port, received } = await recording(t, HELLO)
  const url = `http://127.0.0.1:${port}/x%2fy`
  const shut = await site({ modules, config: '' })
  t.teardown(() => shut.close())
  t.match(await shut.inject(url), { status: 404 })
  t.same(received, [])
  const open = await site({ modules, config: 'ProxyRequests On' })
  t.teardown(() => open.close())
  t.match(await open.inject(url), { status: 200 })
  t.match(received[0], /^GET \/x%2fy HTTP\/1\.1\r\n/)
  t.notMatch(received[0], /X-Forwarded/)
})

t.test(
  'ranges are taken from a short response that arrived as one, as in httpd, with the phrases of their statuses',
  async (t) => {
    const whole = 'HTTP/1.1 200 Fine\r\nContent-Length: 10\r\n\r\n0123456789'
    const port = await backend(t, (socket) => {
      socket.on('data', () => socket.write(whole))
      t.teardown(() => void socket.destroy())
    })
    const server = await site({ modules, config: `ProxyPass / http://127.0.0.1:${port}/` })
    t.teardown(() => server.close())
    const ask = (range: string) => server.inject({ target: '/', headers: { Range: range } })
    const part = await ask('bytes=2-4')
    t.match(part, { statusLine: 'HTTP/1.1 206 Partial Content', body: '234' })
    t.match(await ask('bytes=20-'), { statusLine: 'HTTP/1.1 416 Requested Range Not Satisfiable' })
    t.match(await server.inject('/'), { statusLine: 'HTTP/1.1 200 Fine' })
  },
)

t.test('a response that arrives in pieces is sent whole, whatever range was asked for', async (t) => {
  let sendRest = (): void => {}
  const port = await backend(t, (socket) => {
    sendRest = () => void socket.end('56789')
    socket.on('data', () => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n01234'))
  })
  const server = await site({ modules, config: `ProxyPass / http://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const client = connect(await server.listen(), '127.0.0.1')
  let got = ''
  client.on('data', (part) => {
    got += String(part)
    // The second piece is sent when the first one has come through.
    if (got.endsWith('01234')) sendRest()
  })
  client.write('GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=2-4\r\nConnection: close\r\n\r\n')
  await once(client, 'close')
  t.match(got, /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n0123456789$/)
})

t.test('of fields that a response may have once, the first one counts', async (t) => {
  const fields = 'Server: first\r\nDate: first\r\nContent-Type: text/first\r\n'
  const { port } = await recording(
    t,
    `HTTP/1.1 200 OK\r\n${fields}${fields.replaceAll('first', 'second')}Content-Length: 0\r\n\r\n`,
  )
  const server = await site({ modules, config: `ProxyPass / http://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const { header } = await server.inject('/')
  t.equal(header('Server'), 'first')
  t.equal(header('Date'), 'first')
  t.equal(header('Content-Type'), 'text/first')
})

t.test('encoded slashes are kept for a target that a Proxy section names, and not below a Location section', async (t) => {
  const { port, received } = await recording(t, HELLO)
  const config = `AllowEncodedSlashes NoDecode
<Proxy "http://127.0.0.1:${port}/a">
  Require all granted
</Proxy>
<Location "/b">
  Require all granted
</Location>
ProxyPass / http://127.0.0.1:${port}/ disablereuse=on`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  for (const target of ['/a/x%2fy', '/b/x%2fy']) t.match(await server.inject(target), { status: 200 })
  t.match(received[0], /^GET \/a\/x%2fy /)
  t.match(received[1], /^GET \/b\/x%252fy /)
})

t.test('a forward proxy passes OPTIONS for a server on, and completes names only for pages', async (t) => {
  const { port, received } = await recording(t, HELLO)
  const server = await site({
    modules,
    config: 'ProxyRequests On\nProxyDomain .in.test\n<Proxy "*">\nRequire all granted\n</Proxy>',
  })
  t.teardown(() => server.close())
  t.match(await server.inject({ method: 'OPTIONS', target: `http://127.0.0.1:${port}` }), { status: 200, body: 'hello' })
  t.match(received[0], /^OPTIONS \/ HTTP/)
  const redirected = await server.inject({ target: 'http://nobody-has-this-name:1/x' })
  t.equal(redirected.status, 301)
  t.equal(redirected.header('Location'), 'http://nobody-has-this-name.in.test:1/x')
})

t.test('a remote proxy is asked for hosts that NoProxy does not include by name or by address', async (t) => {
  const remote = await recording(t, HELLO)
  const direct = await recording(t, HELLO)
  const serve = async (lines: string): Promise<void> => {
    const opened = 'ProxyRequests On\n<Proxy "*">\nRequire all granted\n</Proxy>'
    const server = await site({ modules, config: `${opened}\nProxyRemote * http://127.0.0.1:${remote.port}\n${lines}` })
    t.teardown(() => server.close())
    const headers = { 'Proxy-Authorization': 'Basic YTpi' }
    t.match(await server.inject({ target: `http://localhost:${direct.port}/x`, headers }), { status: 200 })
  }
  await serve('NoProxy 10.0.0.0/8\nProxyBlock 127.0.0.1')
  t.match(remote.received[0], /^GET http:\/\/localhost:\d+\/x HTTP/)
  await serve('NoProxy 127.0.0.0/8')
  t.match(direct.received[0], /^GET \/x HTTP/)
  await serve(`ProxyRemote http http://127.0.0.1:${remote.port} c:d`)
  t.equal(remote.received.length, 2)
})

t.test('a URL with a host or port that is none is refused, and the log shows it without its path', async (t) => {
  const config = 'ProxyRequests On\n<Proxy "*">\nRequire all granted\n</Proxy>'
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  for (const authority of ['127.0.0.1:99999', '127.0.0.1:0', '', '1', '[zz]', '[::1']) {
    t.match(await server.inject({ target: `HTTP://${authority}/secret` }), { status: 400 }, authority)
  }
  t.match(server.errors().join('\n'), 'AH01083: error parsing URL HTTP://127.0.0.1:99999: Invalid host/port')
  t.notMatch(server.errors().join('\n'), /error parsing.*secret/)
})

t.test('a client that chooses the URL cannot choose a socket of the file system', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gw-'))
  const path = join(folder, 'socket')
  let connections = 0
  const hidden = createServer((socket) => {
    connections++
    socket.end(HELLO)
  })
  hidden.listen(path)
  await once(hidden, 'listening')
  // Without Unsafe, URLs without a host are refused earlier.
  const config = 'HttpProtocolOptions Unsafe\nProxyRequests On\n<Proxy "*">\nRequire all granted\n</Proxy>'
  const server = await site({ modules, config })
  t.teardown(async () => {
    await server.close()
    hidden.close()
    rmSync(folder, { recursive: true })
  })
  for (const target of [
    `unix://${path}|http://h/a`,
    `unix://h${path}|http://h/a`,
    `UNIX:${path}|http://h/a`,
    `unix:${path}|http:`,
    `unix:${path}`,
  ]) {
    t.match(await server.inject({ target }), { status: 500 }, target)
    const scheme = target.slice(0, 4)
    t.ok(
      server
        .errors()
        .some((line) => line.includes(`AH01144: No protocol handler was valid for the URL ${target} (scheme '${scheme}')`)),
      target,
    )
  }
  t.equal(connections, 0)
})

t.test('rules of mod_headers change the date and the name of another server, but not those of this server', async (t) => {
  const relayed = HELLO.replace('X: 1', 'Server: up')
  const { port } = await recording(t, relayed)
  const rules: readonly (readonly [lines: string, date: string | RegExp, name: string | RegExp])[] = [
    ['Header unset Server\nHeader always set Server cgi', 'yesterday', 'cgi'],
    ['Header always set Server cgi', 'yesterday', 'cgi'],
    ['Header set Server own', 'yesterday', 'own'],
    ['Header set Server own\nHeader always set Server cgi', 'yesterday', 'cgi'],
    ['Header add Server two', 'yesterday', 'up'],
    ['Header unset Server', 'yesterday', /^Gatewright/],
    ['Header unset Date\nHeader always set Date today', 'today', 'up'],
  ]
  for (const [lines, date, name] of rules) {
    const config = `ProxyPass /p http://127.0.0.1:${port}/\n${lines}`
    const server = await site({ modules: [...modules, headers], config })
    t.teardown(() => server.close())
    const response = await server.inject('/p')
    t.match({ date: response.header('Date'), name: response.header('Server') }, { date, name }, lines)
    t.equal(response.headers.filter(([field]) => /^(?:date|server)$/i.test(field)).length, 2, lines)
    t.match((await server.inject('/own')).header('Server'), /^Gatewright/, lines)
  }
})

t.test('clients that never end their bodies, and backends that never answer, do not hold others', async (t) => {
  const COUNT = 200
  const silent = await backend(t, (socket) => void socket.resume())
  const { port } = await recording(t, HELLO)
  const config = `ProxyPass /silent http://127.0.0.1:${silent}/\nProxyPass / http://127.0.0.1:${port}/ disablereuse=on`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  const listening = await server.listen()
  const uploads = Array.from({ length: COUNT }, () => connect(listening, '127.0.0.1'))
  t.teardown(() => {
    for (const upload of uploads) upload.destroy()
  })
  for (const [index, upload] of uploads.entries()) {
    upload.on('error', () => {})
    const target = index % 2 === 0 ? '/silent' : '/upload'
    upload.write(`POST ${target} HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\nthe beginning`)
  }
  await Promise.all(uploads.map((upload) => (upload.connecting ? once(upload, 'connect') : undefined)))
  t.match(await server.inject('/'), { status: 200, body: 'hello' })
  t.equal(uploads.filter((upload) => upload.destroyed).length, 0)
})

t.test('the last attribute of a cookie is mapped, and cookies follow the other fields', async (t) => {
  const cookies = ['a=path=/b', 'a=1;path=/x; Path=/b/c; secure', 'a=1; mydomain=in.test', 'domain=IN.test']
  const fields = ['Set-Cookie: a=1; path=/b', 'X-Last: 1', ...cookies.map((cookie) => `Set-Cookie: ${cookie}`)].join('\r\n')
  const { port } = await recording(t, `HTTP/1.1 200 OK\r\n${fields}\r\nContent-Length: 0\r\n\r\n`)
  const lines = [
    `ProxyPass /a http://127.0.0.1:${port}/b`,
    'ProxyPassReverseCookiePath /b /a',
    'ProxyPassReverseCookieDomain in.test out.test',
  ]
  const server = await site({ modules, config: lines.join('\n') })
  t.teardown(() => server.close())
  const { headers } = await server.inject('/a')
  const relayed = headers.filter(([name]) => /^(?:x-last|set-cookie)$/i.test(name)).map(([, value]) => value)
  t.strictSame(relayed, [
    '1',
    'a=1; path=/a',
    'a=path=/b',
    'a=1;path=/x; Path=/a; secure',
    'a=1; mydomain=in.test',
    'domain=out.test',
  ])
})

t.test('this server is named in interim responses, too', async (t) => {
  const { port } = await recording(t, `HTTP/1.1 103 Early Hints\r\nLink: </s>\r\n\r\n${HELLO}`)
  const server = await site({ modules, config: `ProxyPass /a http://127.0.0.1:${port}/b\nProxyVia On` })
  t.teardown(() => server.close())
  const client = connect(await server.listen(), '127.0.0.1')
  t.teardown(() => void client.destroy())
  client.end('GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let text = ''
  for await (const chunk of client) text += String(chunk)
  t.match(text, /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/s>\r\nVia: 1\.1 [^\r]+\r\n\r\nHTTP\/1\.1 200 Fine\r\n/)
})

/** For several requests, each on a connection of its own. */
const ONCE = HELLO.replace('X: 1', 'Connection: close')

t.test('the result of a rule of a folder is escaped for the backend, like that of a rule of a server', async (t) => {
  const { port, received } = await recording(t, ONCE)
  const url = `http://127.0.0.1:${port}/x/$1`
  const config = `<Directory "@ROOT@/docs">\nOptions FollowSymLinks\nRewriteEngine On
RewriteRule ^in/((?s).*)$ ${url} [P]\nRewriteRule ^raw/((?s).*)$ ${url} [P,NE]\n</Directory>`
  const server = await site({ modules: [...modules, rewrite], config })
  t.teardown(() => server.close())
  t.equal((await server.inject('/in/a%20b%0d%0aX:%20y%25?q=%20')).status, 200)
  t.match(received[0], /^GET \/x\/a%20b%0D%0AX:%20y%25\?q=%20 HTTP\/1\.1\r\nHost: /)
  t.equal((await server.inject('/raw/a%7cb?q')).status, 200)
  t.match(received[1], /^GET \/x\/a\|b\?q HTTP/)
  for (const target of ['/raw/a%20b', '/raw/a%0d%0aX:y', '/raw/a%7fb']) t.equal((await server.inject(target)).status, 403, target)
  t.equal(received.length, 2)
  t.match(server.errors().at(-1), /AH10415: To be forwarded path contains control characters or spaces/)
})

t.test('a decoded path in a field of the request does not begin another field', async (t) => {
  const { port, received } = await recording(t, ONCE)
  const config = `ProxyPass / http://127.0.0.1:${port}/\nProxyPreserveHost On
RequestHeader set X-Path "expr=%{REQUEST_URI}"\nRequestHeader set Host "expr=%{REQUEST_URI}"`
  const server = await site({ modules: [...modules, headers], config })
  t.teardown(() => server.close())
  t.equal((await server.inject('/a%0d%0aEvil:%20y')).status, 200)
  t.match(received[0], /\r\nX-Path: \/a {2}Evil: y\r\n/)
  t.match(received[0], /\r\nHost: \/a {2}Evil: y\r\n/)
  t.notMatch(received[0], /^Evil/m)
})

t.test('the variable no-proxy takes a request out of all ProxyPass lines', async (t) => {
  const { port, received } = await recording(t, ONCE)
  const to = `http://127.0.0.1:${port}/`
  const config = `SetEnvIf Request_URI /no no-proxy\nSetEnvIf Request_URI /empty no-proxy=
ProxyPass /a/ ${to}\nProxyPass /b/ ${to} mapping=encoded\n<Location /c/>\nProxyPass ${to}\n</Location>`
  const server = await site({ modules: [...modules, setenvif], config })
  t.teardown(() => server.close())
  for (const target of ['/a/no', '/b/no', '/c/no', '/a/empty']) t.equal((await server.inject(target)).status, 404, target)
  t.same(received, [])
  for (const target of ['/a/x', '/b/x', '/c/x']) t.equal((await server.inject(target)).status, 200, target)
})

t.test('with mapping=servlet, sections apply to the path that the container reads', async (t) => {
  const { port, received } = await recording(t, ONCE)
  const config = `ProxyPass /app http://127.0.0.1:${port}/x mapping=servlet
<Location /app/admin>\nRequire all denied\n</Location>`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  for (const target of ['/app/admin', '/app;a/admin', '/app/admin;a', '/app/a/..;b/admin/c', '/x/..;/app/.;p/admin'])
    t.equal((await server.inject(target)).status, 403, target)
  t.same(received, [])
  t.equal((await server.inject('/app/a/..;b/page;c')).status, 200)
  t.match(received[0], /^GET \/x\/page;c HTTP/)
})
