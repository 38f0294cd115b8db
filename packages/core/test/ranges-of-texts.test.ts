import { DECLINED } from '@gatewright/api'
import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import { moduleOf, openModule } from './support/modules.ts'

const bytes = (range: string) => ({ target: '/made', headers: { Range: `bytes=${range}` } })

async function serve(t: Test, fields: Record<string, string> = {}): Promise<TestServer> {
  const maker = moduleOf('maker', ({ hooks }) => {
    hooks.handler.add((request) => {
      if (request.uri !== '/made') return DECLINED
      for (const [name, value] of Object.entries(fields)) request.headersOut.set(name, value)
      return request.send('text/plain', '0123456789')
    })
  })
  const server = await site({ modules: [openModule, maker], files: { 'docs/a.txt': 'a' } })
  t.teardown(() => server.close())
  return server
}

t.test('a generated text is split into the requested ranges', async (t) => {
  const { inject } = await serve(t)
  const part = await inject(bytes('2-4'))
  t.match({ status: part.status, body: part.body }, { status: 206, body: '234' })
  t.equal(part.header('Content-Range'), 'bytes 2-4/10')
  t.equal((await inject(bytes('90-'))).status, 416)
  t.equal((await inject({ target: '/made' })).body, '0123456789')
})

t.test('what a handler sends as a range is not cut again', async (t) => {
  const partial = await serve(t, { 'Content-Range': 'bytes 0-9/90' })
  t.equal((await partial.inject(bytes('2-4'))).body, '0123456789')
})

t.test('a HEAD request for a range beyond the end is answered without a transfer coding', async (t) => {
  const { inject } = await serve(t)
  const answer = await inject({ method: 'HEAD', target: '/a.txt', headers: { Range: 'bytes=9-' } })
  t.equal(answer.status, 416)
  t.equal(answer.header('Transfer-Encoding'), undefined)
})
