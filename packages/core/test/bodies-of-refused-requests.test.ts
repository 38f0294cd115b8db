import { HTTP_FORBIDDEN, httpStatus, OK } from '@gatewright/api'
import { rawExchange, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, openModule } from './support/modules.ts'

const FILES = { 'docs/f.txt': 'f', 'docs/page.txt': 'our own page', 'docs/secret.txt': 'secret' }

/** Denies access to /secret.txt, and sends the client a field with the denial. */
const guard = moduleOf('guard', ({ hooks }) => {
  hooks.accessChecker.add((request) => {
    if (request.uri !== '/secret.txt') return OK
    request.errHeadersOut.set('X-Why', 'secret')
    return HTTP_FORBIDDEN
  })
})

async function serve(t: Test, config: string): Promise<TestServer> {
  const server = await site({ modules: [openModule, guard], config, files: FILES })
  t.teardown(() => server.close())
  return server
}

t.test('a request that is refused is answered 413 when its body is longer than LimitRequestBody', async (t) => {
  const server = await serve(t, 'LogLevel info\nLimitRequestBody 2')
  const refused = await server.inject({ method: 'POST', target: '/secret.txt', body: 'long' })
  t.equal(refused.status, 413)
  t.match(refused.body, 'the attempt ended with 403 Forbidden')
  t.equal(refused.header('X-Why'), undefined, 'fields of the refusal are not sent')
  t.equal(refused.header('Content-Length'), undefined)
  t.match(server.errors().join('\n'), 'AH01588')
  const short = await server.inject({ method: 'POST', target: '/secret.txt', body: 'ok' })
  t.equal(short.status, 403)
  t.equal(short.header('X-Why'), 'secret')
  t.equal((await server.inject('/secret.txt')).status, 403)
})

t.test('a text for 413 replaces the page of a refused request whose body is too long, a page at a URL does not', async (t) => {
  const text = await serve(t, 'LimitRequestBody 2\nErrorDocument 403 "no"\nErrorDocument 413 "too long"')
  t.match(await text.inject({ method: 'POST', target: '/secret.txt', body: 'long' }), { status: 413, body: 'too long' })
  const url = await serve(t, 'LimitRequestBody 2\nErrorDocument 413 http://other.test/')
  t.equal((await url.inject({ method: 'POST', target: '/secret.txt', body: 'long' })).status, 413)
})

t.test('the error document of a 413 is served, because the body is not read again', async (t) => {
  const server = await serve(t, 'LimitRequestBody 2\nErrorDocument 413 /page.txt')
  const answer = await server.inject({ method: 'POST', target: '/f.txt', body: 'long' })
  t.match(answer, { status: 413, body: 'our own page' })
  t.equal(answer.header('Content-Length'), '12')
})

t.test('an error is answered when the body has been read, and a body that cannot be read is answered instead', async (t) => {
  const server = await serve(t, 'Timeout 1')
  const port = await server.listen()
  const post = (fields: string, body: string): Promise<string> =>
    rawExchange(port, `POST /secret.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${fields}\r\n\r\n${body}`)
  t.match(await post('Content-Length: 2', 'ab'), /^HTTP\/1\.1 403 /)
  t.match(await post('Transfer-Encoding: chunked', 'zz\r\n'), /^HTTP\/1\.1 400 .*the attempt ended with 403 Forbidden/s)
  t.match(await post('Content-Length: 2', ''), /^HTTP\/1\.1 408 .*the attempt ended with 403 Forbidden/s)
  t.match(await post('Content-Length: 2\r\nExpect: 100-continue', ''), /^HTTP\/1\.1 403 /, 'nobody asks for the body')
})

t.test(
  'an error is answered without 100 Continue, also without a limit for bodies, and an error page for 200 is not',
  async (t) => {
    const successful = moduleOf('successful', ({ hooks }) => {
      hooks.fixups.add((request) => (request.uri === '/f.txt' ? httpStatus(200) : OK))
    })
    const server = await site({
      modules: [openModule, guard, successful],
      config: 'LimitRequestBody 0\nKeepAliveTimeout 1',
      files: FILES,
    })
    t.teardown(() => server.close())
    const port = await server.listen()
    const post = (path: string): Promise<string> =>
      rawExchange(port, `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab`)
    const refused = await post('/secret.txt')
    t.match(refused, /^HTTP\/1\.1 403 /)
    t.match(refused, /\r\nConnection: close\r\n/)
    const page = await post('/f.txt')
    t.match(page, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    t.notMatch(page, /\r\nConnection: close\r\n/)
  },
)

t.test('an ErrorDocument is served without 100 Continue, and the connection closes', async (t) => {
  const server = await serve(t, 'ErrorDocument 403 /page.txt\nKeepAliveTimeout 1')
  const port = await server.listen()
  const answer = await rawExchange(
    port,
    'POST /secret.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nab',
  )
  t.match(answer, /^HTTP\/1\.1 403 Forbidden\r\n/)
  t.match(answer, /\r\nConnection: close\r\n/)
  t.match(answer, /our own page$/)
})

t.test('a handler that refuses a body is named in the page, the one of files without a type is not', async (t) => {
  const page = 'ErrorDocument 413 "by %{HANDLER}"'
  const typed = await serve(t, `LimitRequestBody 2\nForceType text/plain\n${page}`)
  t.equal((await typed.inject({ method: 'POST', target: '/f.txt', body: 'long' })).body, 'by text/plain')
  const untyped = await serve(t, `LimitRequestBody 2\n${page}`)
  t.equal((await untyped.inject({ method: 'POST', target: '/f.txt', body: 'long' })).body, 'by ')
})
