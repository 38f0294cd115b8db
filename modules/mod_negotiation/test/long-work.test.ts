import { busyLoop, type InjectOptions, longWork, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import mime from '../../mod_mime/src/index.ts'
import negotiation from '../src/index.ts'

async function serve(t: Test, files: SiteOptions['files'], more: Partial<SiteOptions> = {}): Promise<TestServer> {
  const server = await site({
    ...more,
    modules: [authzCore, mime, negotiation],
    config: `TypesConfig conf/mime.types\nAddLanguage en .en\nAddHandler type-map .var\n<Directory "@ROOT@/docs">\nOptions +MultiViews\n</Directory>\n${more.config ?? ''}`,
    files: { 'conf/mime.types': 'text/plain txt\n', 'docs/other.txt': 'other', ...files },
  })
  t.teardown(() => server.close())
  return server
}

const many = (count: number, line: (n: number) => string): string => Array.from({ length: count }, (_, n) => line(n)).join('')

interface Row {
  readonly name: string
  readonly files: SiteOptions['files']
  readonly request: Required<Pick<InjectOptions, 'target' | 'headers'>>
  readonly status: number
}

const ROWS: readonly Row[] = [
  {
    name: 'a type map of many entries',
    files: { 'docs/map.var': many(1000, (n) => `URI: v${n}.txt\nContent-Type: text/plain; qs=0.${n}\n\n`), 'docs/v99.txt': 'v' },
    request: { target: '/map.var', headers: {} },
    status: 404,
  },
  {
    name: 'a type map of comments',
    files: { 'docs/map.var': `URI: other.txt\nContent-Type: text/plain\n${'#\n'.repeat(5000)}` },
    request: { target: '/map.var', headers: {} },
    status: 200,
  },
  {
    name: 'a type map without an acceptable variant',
    files: { 'docs/map.var': many(500, (n) => `URI: v${n}.txt\nContent-Type: text/plain\n\n`) },
    request: { target: '/map.var', headers: { Accept: 'image/png' } },
    status: 406,
  },
  {
    name: 'many names for MultiViews',
    files: Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`docs/doc.${n}.en.txt`, String(n)])),
    request: { target: '/doc', headers: {} },
    status: 404,
  },
]

for (const { name, files, request, status } of ROWS) {
  t.test(`${name}: other requests are served meanwhile, and the answer is the same`, async (t) => {
    const { expected, served, answer } = await longWork((more) => serve(t, files, more), request, '/other.txt')
    t.equal(expected.status, status)
    t.ok(served.length >= 3, `${served.length} others were served in between`)
    t.ok(served.every((each) => each === 200))
    t.equal(answer.status, expected.status)
    t.equal(answer.body, expected.body)
    t.equal(answer.header('Alternates'), expected.header('Alternates'))
  })

  t.test(`${name}: a request that costs more than LimitComputingTime is a 500, and others are served`, async (t) => {
    const server = await serve(t, files, { loopClock: busyLoop(), config: 'LimitComputingTime 0.05' })
    t.equal((await server.inject(request)).status, 500)
    t.match(server.errors().join('\n'), /which is all that LimitComputingTime allows/)
    t.equal((await server.inject('/other.txt')).status, 200)
  })
}

t.test('null bytes end a line, and a map with nothing else has no variants', async (t) => {
  const { inject } = await serve(t, {
    'docs/zeros.var': '\0'.repeat(100_000),
    'docs/cut.var': 'URI: other.txt\0.gone\nContent-Type: text/plain\n',
  })
  t.equal((await inject('/zeros.var')).status, 406)
  t.match(await inject('/cut.var'), { status: 200, body: 'other' })
})

t.test('a map that is too large has no acceptable variant, and the log says why', async (t) => {
  const entry = 'URI: other.txt\nContent-Type: text/plain\n\n'
  const { inject, errors } = await serve(t, { 'docs/huge.var': entry + '\n'.repeat(16 * 1024 * 1024) })
  t.equal((await inject('/huge.var')).status, 406)
  t.match(
    errors().join('\n'),
    /negotiation:error\].*type map file is larger than 16777216 bytes and is ignored: .*\/docs\/huge\.var/,
  )
})
