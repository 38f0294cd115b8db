import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { site } from '@gatewright/testing'
import t from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import proxy from '../../mod_proxy/src/index.ts'
import setenvif from '../../mod_setenvif/src/index.ts'
import proxyAjp from '../src/index.ts'
import { ask, backEnd, chunk, end, head, packet } from './back-end.ts'

const modules = [authzCore, setenvif, proxy, proxyAjp]
const TEXT = [['Content-Type', 'text/plain']] as const
const FORWARD = 2
const PING = 10

const send =
  (...parts: readonly Buffer[]) =>
  (socket: Socket, content: Buffer): void => {
    if (content[0] === FORWARD) socket.write(Buffer.concat(parts))
  }

t.test('a request is a packet with codes and attributes, and its connection serves the next one', async (t) => {
  const { port, seen, figures } = await backEnd(t, send(head(201, 'Made', TEXT), chunk('yes'), end()))
  const config = `SetEnvIf X-Tenant (.+) AJP_tenant=$1
ProxyPass / ajp://127.0.0.1:${port}/app/ secret=s3cretW0rd`
  const server = await site({ modules, config })
  t.teardown(() => server.close())
  const headers = { 'X-Tenant': 'blue', 'User-Agent': 'me' }
  t.match(await server.inject({ target: '/a?b=c', headers }), { status: 201, body: 'yes' })
  t.match(await server.inject({ method: 'PATCH', target: '/' }), { status: 201 })
  t.equal(figures.connections, 1)
  t.match(seen[0], /^\x02\x02\0\x08HTTP\/1.1\0\0\x06\/app\/a\0/)
  for (const part of ['\xa0\x0e\0\x02me\0', '\0\x08X-Tenant\0\0\x04blue\0', '\x0c\0\x0as3cretW0rd\0', '\x05\0\x03b=c\0'])
    t.ok(seen[0]?.includes(part), JSON.stringify(part))
  t.ok(seen[0]?.endsWith('\x0a\0\x06tenant\0\0\x04blue\0\xff'))
  t.match(seen[1], /^\x02\xff/)
  t.ok(seen[1]?.includes('\x0d\0\x05PATCH\0'))
  t.notOk(server.errors().some((line) => line.includes('s3cretW0rd')))
})

t.test('a body is sent in packets: the first one by itself, others when the back end asks', async (t) => {
  let parts = 0
  const { port, seen } = await backEnd(t, (socket, content) => {
    if (content[0] === FORWARD && content.length > 60) return
    parts++
    socket.write(content.length > 2 ? ask() : Buffer.concat([head(200, 'OK', TEXT), chunk('read'), end()]))
  })
  const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const body = 'b'.repeat(20_000)
  const headers = { 'Content-Length': String(body.length) }
  t.match(await server.inject({ method: 'POST', target: '/', headers, body }), { status: 200, body: 'read' })
  const received = seen.slice(1).map((part) => part.slice(2))
  t.equal(received.join(''), body)
  t.ok(received.every((part) => part.length <= 8186))
  t.equal(parts, seen.length - 1)
})

t.test('chunks are sent only when the back end asks, and other codings never', async (t) => {
  const { port, seen } = await backEnd(t, (socket, content) => {
    socket.write(content[0] === FORWARD ? ask() : Buffer.concat([head(200, 'OK', TEXT), chunk('ok'), end()]))
  })
  const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const body = '3\r\nabc\r\n0\r\n\r\n'
  t.match(await server.inject({ method: 'POST', target: '/', headers: { 'Transfer-Encoding': 'chunked' }, body }), {
    status: 200,
  })
  t.equal(seen[1], '\0\x03abc')
  const headers = { 'Transfer-Encoding': 'gzip, chunked' }
  const refused = await server.inject({ method: 'POST', target: '/', headers, body })
  t.ok(refused.status >= 400)
  t.equal(seen.length, 2)
})

t.test('fields with codes are read, those of the connection and the length are not relayed, and URLs are mapped', async (t) => {
  let port = 0
  const made = await backEnd(t, (socket) => {
    const fields = [
      [0xa001, 'text/x'],
      [0xa003, '99'],
      [0xa006, `ajp://127.0.0.1:${port}/there`],
      ['Connection', 'X-Hop'],
      ['X-Hop', '1'],
      ['Transfer-Encoding', 'gzip'],
      ['X-Kept', 'v'],
    ] as const
    socket.write(Buffer.concat([head(302, 'Found', fields), chunk('body'), end()]))
  })
  port = made.port
  const server = await site({
    modules,
    config: `ProxyPass / ajp://127.0.0.1:${port}/\nProxyPassReverse / ajp://127.0.0.1:${port}/`,
  })
  t.teardown(() => server.close())
  const { status, headers, body } = await server.inject('/')
  t.match({ status, body }, { status: 302, body: 'body' })
  const names = JSON.stringify(headers).toLowerCase()
  t.match(names, 'x-kept')
  t.match(names, '/there')
  t.notMatch(names, /x-hop|gzip|ajp:|"99"/)
})

t.test('what is no response is an error, which a method with effects does not let another back end repeat', async (t) => {
  const lies: readonly (readonly [Buffer, RegExp])[] = [
    [Buffer.from('XY\0\x02\x04\0'), /AH01080.*bad signature 5859/],
    [Buffer.from('AB\xff\xff\x04', 'latin1'), /AH01081.*too big 65535, max is 8188/],
    [packet(''), /AH00993/],
    [packet('\x04\0'), /AH00983/],
    [packet('\x04\0\xc8\0\x02OK\0'), /AH10405/],
    [packet('\x04\0\xc8\0\x02OK\0\xff\xff\0\x01A\0\0\x01b\0'), /AH00893/],
    [packet('\x04\0\xc8\0\x02OK\0\0\x01\xa0\x0c\0\x01x\0'), /AH00984.*No such sc \(0000a00c\)/],
    [packet('\x04\0\xc8\0\x02OK\0\0\x01\xff\xff\0\x01x\0'), /AH00985/],
    [packet('\x04\0\xc8\0\x02OK\0\0\x01\0\x01A\0\xff\xff'), /AH00986/],
    [packet('\x03\xff\xffaa'), /AH00998.*Length of chunk is 65535, expected length is 1/],
    [packet('\x03\0'), /AH03229/],
    [packet('w'), /AH00893/],
    [Buffer.concat([head(200, 'OK'), head(200, 'OK')]), /AH00893/],
    [Buffer.concat([...Array(40)].map(ask)), /AH00893/],
  ]
  for (const [bytes, line] of lies) {
    const { port, figures } = await backEnd(t, send(bytes))
    const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/` })
    t.teardown(() => server.close())
    t.match(await server.inject('/'), { status: 503 }, String(line))
    t.match(server.errors().join('\n'), line)
    t.match(await server.inject('/?query'), { status: 500 })
    t.match(await server.inject({ method: 'POST', target: '/' }), { status: 500 })
    t.equal(figures.connections, 3, 'no connection is used again')
  }
})

t.test('nothing in a head becomes a field of its own, or ends the process', async (t) => {
  const evil = 'x\r\nX-Evil: 1'
  const heads = [head(200, evil), head(404, evil), head(200, 'OK', [['A', evil]]), head(200, 'OK', [['Content-Type', evil]])]
  const names = [head(200, 'OK', [['A\r\nX-Evil', '1']]), head(200, 'OK', [['', '1']]), head(200, 'OK', [['Set-Cookie', evil]])]
  const statuses = [head(0, evil), head(99, 'x'), head(65_535, 'x'), head(200, 'OK', [['Location', evil]])]
  for (const bytes of [...heads, ...names, ...statuses]) {
    const { port } = await backEnd(t, send(bytes, chunk('body'), end()))
    const server = await site({ modules, config: `ProxyErrorOverride On 404\nProxyPass / ajp://127.0.0.1:${port}/` })
    t.teardown(() => server.close())
    const { status, headers } = await server.inject('/')
    t.ok(status >= 200)
    t.notMatch(JSON.stringify(headers), /x-evil/i)
  }
})

t.test('a back end that closes, resets or says nothing is reported, and a begun response is cut', async (t) => {
  const early = await backEnd(t, (socket) => void socket.end())
  const front = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${early.port}/` })
  t.teardown(() => front.close())
  t.match(await front.inject('/'), { status: 503 })
  t.match(front.errors().join('\n'), /AH01030[\s\S]*AH00992[\s\S]*AH00878/)
  const silent = await backEnd(t, () => {})
  const waiting = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${silent.port}/ timeout=1` })
  t.teardown(() => waiting.close())
  t.match(await waiting.inject('/'), { status: 503 })
  t.match(waiting.errors().join('\n'), /The timeout specified has expired[\s\S]*AH00878/)
  const { port } = await backEnd(t, (socket) => {
    socket.write(Buffer.concat([head(200, 'OK', TEXT), chunk('start')]), () => setTimeout(() => socket.resetAndDestroy(), 30))
  })
  const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const client = connect(await server.listen(), '127.0.0.1')
  let got = ''
  client.on('data', (part) => {
    got += String(part)
  })
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(client, 'close')
  t.match(got, /start/)
  t.notMatch(got, /\r\n0\r\n\r\n$/)
})

t.test('nothing that follows the end of a response is part of another one', async (t) => {
  const { port, figures } = await backEnd(t, send(head(200, 'OK', TEXT), chunk('mine'), end(), chunk('of another')))
  const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  t.match(await server.inject('/'), { body: 'mine' })
  t.match(await server.inject('/'), { body: 'mine' })
  t.equal(figures.connections, 2)
  const closing = await backEnd(t, send(head(200, 'OK', TEXT), chunk('x'), end(false)))
  const second = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${closing.port}/` })
  t.teardown(() => second.close())
  await second.inject('/')
  await second.inject('/')
  t.equal(closing.figures.connections, 2)
})

t.test('a back end that does not answer a CPING gets no request', async (t) => {
  for (const pong of [
    packet('\x0a'),
    packet(''),
    Buffer.from('XX\0\x01\x09'),
    Buffer.alloc(0),
    Buffer.concat([packet('\x09'), packet('\x09')]),
  ]) {
    const { port, seen } = await backEnd(t, (socket, content) => void (content[0] === PING && socket.write(pong)))
    const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/ ping=200ms` })
    t.teardown(() => server.close())
    t.match(await server.inject('/'), { status: 503 })
    t.same(seen, ['\x0a', '\x0a'])
    t.equal(server.errors().filter((line) => line.includes('AH00897')).length, 2)
  }
  const { port, seen } = await backEnd(t, (socket, content) => {
    socket.write(content[0] === PING ? packet('\x09') : Buffer.concat([head(200, 'OK', TEXT), chunk('there'), end()]))
  })
  const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/ ping=5` })
  t.teardown(() => server.close())
  t.match(await server.inject('/'), { status: 200, body: 'there' })
  t.equal(seen.length, 2)
})

t.test('fields that are longer than a packet are refused, unless the worker permits longer ones', async (t) => {
  const { port, seen } = await backEnd(t, send(head(200, 'OK', TEXT), chunk('z'.repeat(19_000)), end()))
  const server = await site({
    modules,
    config: `ProxyPass /big/ ajp://127.0.0.1:${port}/big/ iobuffersize=20000\nProxyPass / ajp://127.0.0.1:${port}/`,
  })
  t.teardown(() => server.close())
  const headers = { A: 'a'.repeat(4000), B: 'b'.repeat(4200) }
  t.match(await server.inject({ target: '/', headers }), { status: 400 })
  t.match(server.errors().join('\n'), /AH03229[\s\S]*AH00971[\s\S]*AH00988[\s\S]*AH00868/)
  t.same(seen, [])
  t.match(await server.inject({ target: '/big/', headers }), { status: 200, body: 'z'.repeat(19_000) })
  t.match(await server.inject('/'), { status: 503 })
})

t.test('a secret for which a packet has no place is an error of the server', async (t) => {
  const { port, seen } = await backEnd(t, send(head(200, 'OK', TEXT), end()))
  const secret = 's'.repeat(60)
  const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/ secret=${secret}` })
  t.teardown(() => server.close())
  // With the other parts of the packet, between 8192 - 60 and 8192 bytes.
  const headers = { A: 'a'.repeat(8192 - 140) }
  t.match(await server.inject({ target: '/', headers }), { status: 500 })
  t.match(server.errors().join('\n'), /AH03228[\s\S]*AH00868/)
  t.notMatch(server.errors().join('\n'), secret)
  t.same(seen, [])
})

t.test('a response without a body is complete as soon as a part of its body has come', async (t) => {
  const { port } = await backEnd(t, (socket) => socket.end(Buffer.concat([head(200, 'OK', TEXT), chunk('part')])))
  const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  t.match(await server.inject({ method: 'HEAD', target: '/' }), { status: 200, body: '' })
})

t.test('of fields that a response may have once, the first one counts', async (t) => {
  const types = [
    ['Content-Type', 'text/first'],
    [0xa001, 'text/second'],
    ['Server', 'first'],
    ['Server', 'second'],
  ] as const
  const { port } = await backEnd(t, send(head(200, 'OK', types), chunk('x'), end()))
  const server = await site({ modules, config: `ProxyPass / ajp://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const { header } = await server.inject('/')
  t.equal(header('Content-Type'), 'text/first')
  t.equal(header('Server'), 'first')
})

t.test('a page that replaces a response shows its status and reason, and has its first challenge', async (t) => {
  const challenges = [
    ['WWW-Authenticate', 'Basic realm="first"'],
    ['WWW-Authenticate', 'Basic realm="second"'],
  ] as const
  const { port } = await backEnd(t, (socket, content) => {
    const isUnknown = content.includes('/499')
    socket.write(Buffer.concat([isUnknown ? head(499, '') : head(401, 'Not You', challenges), chunk('theirs'), end()]))
  })
  const server = await site({ modules, config: `ProxyErrorOverride On\nProxyPass / ajp://127.0.0.1:${port}/` })
  t.teardown(() => server.close())
  const refused = await server.inject('/')
  t.match(refused, { status: 401, body: /<title>401 Not You</ })
  t.equal(refused.header('WWW-Authenticate'), 'Basic realm="first"')
  t.match(await server.inject('/499'), { status: 499, body: /<title>499 Unknown Reason</ })
})
