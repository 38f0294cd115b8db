import { gzipSync } from 'node:zlib'
import { type AnyModule, DECLINED, defineModule } from '@gatewright/api'
import { type InjectedResponse, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import deflate from '../src/index.ts'

const TEXT = 'hello '.repeat(10)
const PACKED = gzipSync(TEXT).toString('latin1')
/** 600,000 bytes from about 600. */
const BOMB = gzipSync('hello '.repeat(100_000)).toString('latin1')

/** Responds with the request body and the header fields about it. */
const echo: AnyModule = defineModule({
  name: 'echo_module',
  source: 'mod_echo.c',
  register({ hooks }) {
    hooks.handler.add(async (request) => {
      if (request.uri !== '/echo') return DECLINED
      const chunks: Uint8Array[] = []
      for await (const chunk of request.readBody()) chunks.push(Buffer.from(chunk))
      for (const name of ['Content-Length', 'Content-Encoding'])
        request.headersOut.set(`X-${name}`, request.headersIn.get(name) ?? 'none')
      return request.send('text/plain', Buffer.concat(chunks))
    })
  },
})

async function serve(t: Test, config: string): Promise<TestServer> {
  const server = await site({ modules: [authzCore, deflate, echo], config })
  t.teardown(() => server.close())
  return server
}

const post = (server: TestServer, body: string, coding?: string): Promise<InjectedResponse> =>
  server.inject({ method: 'POST', target: '/echo', body, headers: coding === undefined ? {} : { 'Content-Encoding': coding } })

const logged = (server: TestServer): string[] =>
  server.errors().map((line) => line.replace(/^\[.*?\] (\[.*?\]) \[pid .*?\] \[client .*?\] /, '$1 '))

t.test('a handler reads a compressed body in its original form', async (t) => {
  const server = await serve(t, 'SetInputFilter DEFLATE')
  for (const coding of ['gzip', 'x-gzip', 'GZIP']) {
    const { status, body, header } = await post(server, PACKED, coding)
    t.strictSame([status, body, header('X-Content-Length'), header('X-Content-Encoding')], [200, TEXT, 'none', 'none'])
  }
  t.equal((await post(server, PACKED, 'br, gzip')).header('X-Content-Encoding'), 'br', 'only the last coding is decoded')
})

t.test('other bodies are not changed', async (t) => {
  const server = await serve(t, 'SetInputFilter DEFLATE')
  t.equal((await post(server, PACKED)).body, PACKED)
  t.equal((await post(server, PACKED, 'gzip, br')).body, PACKED)
  t.equal((await post(server, 'plain', 'identity')).body, 'plain')
  t.equal((await post(server, '', 'gzip')).status, 200)
  t.equal((await post(await serve(t, ''), PACKED, 'gzip')).body, PACKED, 'without SetInputFilter')
})

const DAMAGES: readonly (readonly [string, string, string])[] = [
  ['that ends early', PACKED.slice(0, -6), '[deflate:error] AH02481: Encountered premature end-of-stream while inflating'],
  ['that is not gzip', 'plain text, no gzip at all', '[deflate:warn] AH01387: Zlib: Invalid header'],
  [
    'whose checksum is wrong',
    PACKED.slice(0, -8) + String.fromCharCode(PACKED.charCodeAt(PACKED.length - 8) ^ 1) + PACKED.slice(-7),
    '[deflate:warn] AH01394: Zlib: CRC error inflating data',
  ],
]

for (const [what, body, line] of DAMAGES) {
  t.test(`a body ${what} is a 400, and the log gives the reason`, async (t) => {
    const server = await serve(t, 'SetInputFilter DEFLATE')
    t.equal((await post(server, body, 'gzip')).status, 400)
    t.strictSame(logged(server), [line])
    t.equal((await post(server, PACKED, 'gzip')).body, TEXT, 'the next one is served')
  })
}

t.test('DeflateInflateLimitRequestBody ends inflating with 413', async (t) => {
  const server = await serve(t, 'SetInputFilter DEFLATE\nDeflateInflateLimitRequestBody 1000')
  t.equal((await post(server, BOMB, 'gzip')).status, 413)
  t.strictSame(logged(server), [
    '[deflate:warn] AH02648: Inflated content length of 8096 is larger than the configured limit of 1000',
  ])
  t.equal((await post(server, PACKED, 'gzip')).body, TEXT)
})

t.test('a body that inflates too much is a 400', async (t) => {
  const server = await serve(t, 'SetInputFilter DEFLATE\nDeflateInflateRatioLimit 10\nDeflateInflateRatioBurst 1')
  t.equal((await post(server, BOMB, 'gzip')).status, 400)
  t.strictSame(logged(server), [
    '[deflate:warn] AH02649: Inflated content ratio is larger than the configured limit 10 by 1 time(s)',
  ])
})

t.test('a limit of 0 means no limit', async (t) => {
  const server = await serve(
    t,
    'SetInputFilter DEFLATE\nDeflateInflateLimitRequestBody 0\nDeflateInflateRatioLimit 100000\nDeflateInflateRatioBurst 100',
  )
  t.equal((await post(server, BOMB, 'gzip')).body.length, 600_000)
})
