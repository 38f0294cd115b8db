import { rawExchange, site } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import reqtimeout from '../src/index.ts'

type TestServer = Awaited<ReturnType<typeof site>>

async function serve(t: Test, config: string): Promise<TestServer & { readonly port: number }> {
  const server = await site({
    modules: [authzCore, reqtimeout],
    config: `LogLevel reqtimeout:info\n${config}`,
    files: { 'docs/f.txt': 'text' },
  })
  t.teardown(() => server.close())
  return { ...server, port: await server.listen() }
}

t.test('incomplete heads and bodies are answered with 408, and the log shows which of them timed out', async (t) => {
  const server = await serve(t, 'RequestReadTimeout header=1 body=1')
  const [head, body, line] = await Promise.all([
    rawExchange(server.port, 'GET /f.txt HTTP/1.1\r\nHost: a'),
    rawExchange(server.port, 'POST /f.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n123'),
    rawExchange(server.port, 'GET /f.t'),
  ])
  t.match(head, /^HTTP\/1\.1 408 /)
  t.match(body, /^HTTP\/1\.1 408 [\s\S]*\r\nContent-Length: /)
  t.equal(line, '', 'without a request line there is nothing to answer')
  const messages = server.errors().map((text) => text.replace(/^.*\] /, ''))
  t.same(messages.sort(), [
    'AH01382: Request body read timeout',
    'AH01382: Request header read timeout',
    'AH01382: Request header read timeout',
  ])
})

t.test('the body has the timeout of the requested virtual host', async (t) => {
  const server = await serve(
    t,
    'RequestReadTimeout body=1\n<VirtualHost *:*>\nServerName a\n</VirtualHost>\n<VirtualHost *:*>\nServerName b\nRequestReadTimeout body=0\n</VirtualHost>',
  )
  const post = (host: string, timeout?: number): Promise<string> =>
    rawExchange(server.port, `POST /f.txt HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 9\r\n\r\n123`, { timeout })
  const [a, b] = await Promise.all([post('a'), post('b', 1600)])
  t.match(a, /^HTTP\/1\.1 408 /)
  t.equal(b, '', 'it still waits')
})
