import { httpStatus, type Request } from '@gatewright/api'
import { escapeHtml } from '@gatewright/api/text'
import { type InjectOptions, site, type TestServer } from '@gatewright/testing'
import t from 'tap'
import { COMMON_PAGES } from '../src/response/error-page.ts'
import { moduleOf, wordsModule } from './support/modules.ts'

const COUNT = 400

/** What a module does to the request before it ends with an error, by the name that the client requests. */
const BEFORE: Readonly<Record<string, (request: Request) => void>> = {
  challenge: ({ errHeadersOut }) => errHeadersOut.set('WWW-Authenticate', 'Basic realm="a"'),
  nonce: ({ errHeadersOut }) => errHeadersOut.set('WWW-Authenticate', `Digest nonce="${Math.random()}"`),
  here: ({ headersOut }) => headersOut.set('Location', 'http://localhost/here'),
  there: ({ headersOut }) => headersOut.set('Location', '/there?a&b'),
  far: ({ headersOut }) => headersOut.set('Location', `/${'x'.repeat(9000)}`),
  always: ({ errHeadersOut }) => errHeadersOut.set('X-A', '1'),
  note: ({ notes }) => notes.set('error-notes', 'a note'),
  unkept: ({ env }) => env.set('nokeepalive', '1'),
  close: ({ errHeadersOut }) => errHeadersOut.set('Connection', 'close'),
  refused: ({ errHeadersOut }) => errHeadersOut.set('X-Bad', 'a\x01'),
  none: () => undefined,
}

const STATUSES = ['301', '302', '401', '403', '403', '404', '410', '429', '500']

const VISITS: readonly Omit<InjectOptions, 'target'>[] = [
  {},
  {},
  {},
  { method: 'HEAD' },
  { headers: { Connection: 'keep-alive' } },
  { version: 'HTTP/1.0' },
  { method: 'POST', body: 'x' },
]

async function failing(): Promise<TestServer> {
  const module = moduleOf('failing', ({ hooks }) =>
    hooks.fixups.add((request) => {
      BEFORE[request.headersIn.get('x-before') ?? 'none']?.(request)
      return httpStatus(Number(request.headersIn.get('x-status')))
    }),
  )
  const config = 'MaxKeepAliveRequests 0\n<Location /own>\nErrorDocument 403 "of its own"\n</Location>'
  return await site({ config, modules: [wordsModule, module], files: {} })
}

function shown({ statusLine, headers, body }: Awaited<ReturnType<TestServer['inject']>>): string {
  const fields = headers.filter(([name, value]) => name !== 'Date' && !value.startsWith('Digest'))
  return [statusLine, ...fields.map((field) => field.join(': ')), body].join('\n')
}

t.test('an error page that is sent again is the one that would be built', async (t) => {
  const server = await failing()
  t.teardown(() => server.close())
  let seed = 5
  const pick = <T>(from: readonly T[]): T => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return from[Math.floor((seed / 2_147_483_648) * from.length)]
  }
  const differing: string[] = []
  let again = 0
  for (let index = 0; index < COUNT; index++) {
    const visit = pick(VISITS)
    const headers = { ...visit.headers, 'X-Status': pick(STATUSES), 'X-Before': pick([...Object.keys(BEFORE), 'none', 'none']) }
    const request = { ...visit, headers, target: pick(['/a', '/a', '/b', '/own', '/']) }
    const first = await server.inject(request)
    const second = await server.inject(request)
    // A page with a range is built anew, and the range has no effect on it.
    const built = await server.inject({ ...request, headers: { ...headers, Range: 'bytes=0-0' } })
    const location = first.header('Location')
    if (location !== undefined && !first.body.includes(escapeHtml(location)) && request.method !== 'HEAD')
      differing.push(location)
    if (COMMON_PAGES.pageOf(first.status, first.body)?.image) again++
    for (const answer of [first, second]) {
      if (shown(answer) !== shown(built)) differing.push(`${JSON.stringify(request)}\n${shown(answer)}\n${shown(built)}`)
    }
  }
  t.strictSame(differing, [])
  t.ok(again > COUNT / 10, `${again} pages were kept`)
})

t.test('a page with a long target is not kept, because its response does not state its length', async (t) => {
  const server = await failing()
  t.teardown(() => server.close())
  const request = { target: '/a', headers: { 'X-Status': '302', 'X-Before': 'far' } }
  for (let round = 0; round < 3; round++) {
    const answer = await server.inject(request)
    t.equal(answer.header('Content-Length'), undefined)
    t.equal(answer.header('Transfer-Encoding'), 'chunked')
    t.equal(COMMON_PAGES.pageOf(302, answer.body), null)
  }
})
