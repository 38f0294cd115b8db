import { defineModule } from '@gatewright/api'
import { rawExchange, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { openModule } from './support/modules.ts'

/** Handlers that do not read the body of their request. */
const pages = defineModule({
  name: 'pages_module',
  source: 'mod_pages.c',
  register({ hooks }) {
    hooks.handler.add((request) => {
      request.contentType = 'text/plain'
      return request.respond('p'.repeat(Number(request.uri.slice(1))))
    })
  },
})
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n0\r\n\r\n'
const COUNTED = 'Content-Length: 5\r\n\r\nabcde'

async function statusLines(t: Test, config: string, request: string): Promise<readonly string[]> {
  const server = await site({ modules: [openModule, pages], config })
  t.teardown(() => server.close())
  const next = 'GET /1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
  return (await rawExchange(await server.listen(), `${request}${next}`)).match(/HTTP\/1\.1 \d+/g) ?? []
}

t.test('an unread body is discarded before a short page is sent, and its rejection replaces the page', async (t) => {
  for (const start of ['OPTIONS *', 'GET /8000', 'POST /8000'])
    for (const body of [CHUNKED, COUNTED]) {
      const request = `${start} HTTP/1.1\r\nHost: x\r\n${body}`
      t.strictSame(await statusLines(t, 'LimitRequestBody 1', request), ['HTTP/1.1 413'], request)
      t.strictSame(await statusLines(t, 'LimitRequestBody 5', request), ['HTTP/1.1 200', 'HTTP/1.1 200'], request)
    }
  const invalid = 'OPTIONS * HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'
  t.strictSame(await statusLines(t, '', invalid), ['HTTP/1.1 400'])
})

t.test('a longer page is sent before its body is discarded', async (t) => {
  const [first] = await statusLines(t, 'LimitRequestBody 1', `GET /8001 HTTP/1.1\r\nHost: x\r\n${COUNTED}`)
  t.equal(first, 'HTTP/1.1 200')
})

t.test('a client that waits is asked for the body that is discarded', async (t) => {
  const request = `OPTIONS * HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n${COUNTED}`
  t.strictSame(await statusLines(t, '', request), ['HTTP/1.1 100', 'HTTP/1.1 200', 'HTTP/1.1 200'])
})

t.test('TraceEnable extended reads the body first, and limits it as httpd does', async (t) => {
  const trace = (body: string): string => `TRACE /a HTTP/1.1\r\nHost: x\r\n${body}`
  const counted = (length: number): string => `Content-Length: ${length}\r\n\r\n${'y'.repeat(length)}`
  const chunked = (length: number): string =>
    `Transfer-Encoding: chunked\r\n\r\n${length.toString(16)}\r\n${'y'.repeat(length)}\r\n0\r\n\r\n`
  const both = ['HTTP/1.1 200', 'HTTP/1.1 200']
  for (const [limit, body, expected] of [
    [0, counted(65_536), both],
    [0, counted(65_537), ['HTTP/1.1 413']],
    [0, chunked(73_728), both],
    [0, chunked(73_729), ['HTTP/1.1 413']],
    [50, counted(50), both],
    [50, counted(51), ['HTTP/1.1 413']],
    [50, chunked(51), ['HTTP/1.1 413']],
    [50, 'Transfer-Encoding: chunked\r\n\r\nzz\r\n', ['HTTP/1.1 400']],
  ] as const) {
    const config = `TraceEnable extended\nLimitRequestBody ${limit}`
    t.strictSame(await statusLines(t, config, trace(body)), expected, `limit ${limit}, ${body.slice(0, 40)}, ${body.length}`)
  }
  const server = await site({ modules: [openModule], config: 'TraceEnable extended' })
  t.teardown(() => server.close())
  const answer = await rawExchange(await server.listen(), `TRACE /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${counted(3)}`)
  t.match(answer, /\r\n\r\n47\r\nTRACE \/a HTTP\/1\.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nyyy\r\n0\r\n/)
})
