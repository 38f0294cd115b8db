import { readdirSync } from 'node:fs'
import { DECLINED, defineModule } from '@gatewright/api'
import { rawExchange, site } from '@gatewright/testing'
import t from 'tap'
import { openModule } from './support/modules.ts'

const LARGE = { 'docs/open/f': 'open', 'docs/large': 'x'.repeat(100_000) }

/** Generates pages, as a listing of a folder is generated. */
const pages = defineModule({
  name: 'pages_module',
  source: 'mod_pages.c',
  register({ hooks }) {
    hooks.handler.add((request) => (request.uri === '/page' ? request.respond('generated') : DECLINED))
  },
})

t.test('a page that is generated as the ErrorDocument of a refused range does not state its length', async (t) => {
  const config = '<Files a.txt>\nErrorDocument 416 /page\n</Files>\n<Files b.txt>\nErrorDocument 416 /c.txt\n</Files>'
  const files = { 'docs/a.txt': 'a', 'docs/b.txt': 'b', 'docs/c.txt': 'c' }
  const server = await site({ modules: [openModule, pages], config, files })
  t.teardown(() => server.close())
  const port = await server.listen()
  const ask = (path: string): Promise<string> =>
    rawExchange(
      port,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: keep-alive\r\nRange: bytes=9-\r\n\r\nGET /c.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    )
  const generated = await ask('/a.txt')
  t.match(
    generated,
    /^HTTP\/1\.1 416 [\s\S]*\r\nTransfer-Encoding: chunked\r\n(?:[^\r]+\r\n)*\r\n9\r\ngenerated\r\n0\r\n\r\nHTTP/,
  )
  t.match(generated, 'Keep-Alive: timeout=5, max=99\r\n', 'the response that was replaced counts')
  const [file] = (await ask('/b.txt')).split('\r\n\r\n')
  t.match(file, /^HTTP\/1\.1 416 [\s\S]*\r\nContent-Length: 1\r\n/)
})

t.test('a range that cannot be satisfied keeps no file open', async (t) => {
  const server = await site({ modules: [openModule], files: LARGE })
  t.teardown(() => server.close())
  const port = await server.listen()
  const ask = () =>
    rawExchange(port, 'GET /large HTTP/1.1\r\nHost: localhost\r\nRange: bytes=900000-\r\nConnection: close\r\n\r\n')
  t.match(await ask(), /^HTTP\/1\.1 416 /)
  const open = () => readdirSync('/proc/self/fd').length
  const before = open()
  for (let count = 0; count < 20; count++) await ask()
  t.ok(open() < before + 10, `${open()} descriptors, ${before} before`)
})

t.test('a range that cannot be satisfied is answered by the ErrorDocument of 416', async (t) => {
  const server = await site({ modules: [openModule], config: 'ErrorDocument 416 /open/f', files: LARGE })
  t.teardown(() => server.close())
  const response = await server.inject({ target: '/large', headers: { Range: 'bytes=900000-' } })
  t.match(response, { status: 416, body: 'open' })
})
