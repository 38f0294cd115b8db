import { busyLoop, longWork, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import alias from '../src/index.ts'

async function serve(t: Test, lines: string, more: Partial<SiteOptions> = {}): Promise<TestServer> {
  const server = await site({
    ...more,
    modules: [authzCore, alias],
    config: `<Directory "@ROOT@/docs">\nAllowOverride All\nRequire all granted\n</Directory>\n<Directory "@ROOT@/docs/d">\n${lines}\n</Directory>\n${more.config ?? ''}`,
    files: { 'docs/plain.txt': 'plain', 'docs/d/a.txt': 'a', ...more.files },
  })
  t.teardown(() => server.close())
  return server
}

const many = (count: number, line: (n: number) => string): string => Array.from({ length: count }, (_, n) => line(n)).join('\n')
const PATTERNS = many(1000, (n) => `RedirectMatch ^/n${n}/(.*)x$ http://to.test/$1`)
const PREFIXES = many(5000, (n) => `Redirect /d/n${n} http://to.test/n`)

interface Row {
  readonly name: string
  readonly lines: string
  readonly status: number
  readonly target?: string
}

const ROWS: readonly Row[] = [
  { name: 'none of many patterns matches', lines: PATTERNS, status: 200 },
  { name: 'the last of many patterns matches', lines: `${PATTERNS}\nRedirectMatch 301 ^/d/(.*) /x/$1`, status: 301 },
  { name: 'the last of many patterns forbids', lines: `${PATTERNS}\nRedirectMatch 403 ^/d/`, status: 403 },
  { name: 'none of many prefixes matches', lines: PREFIXES, status: 200 },
  { name: 'one among many prefixes matches', lines: PREFIXES, status: 302, target: '/d/n4000/x' },
  { name: 'the last of many prefixes is gone', lines: `${PREFIXES}\nRedirect gone /d`, status: 410 },
]

for (const { name, lines, status, target = '/d/a.txt' } of ROWS) {
  t.test(`${name}: other requests are served meanwhile, and the answer is the same`, async (t) => {
    const { expected, served, answer } = await longWork((more) => serve(t, lines, more), target, '/plain.txt')
    t.equal(expected.status, status)
    t.ok(served.length >= 5, `${served.length} others were served in between`)
    t.ok(served.every((each) => each === 200))
    t.equal(answer.status, expected.status)
    t.equal(answer.body, expected.body)
    t.equal(answer.header('Location'), expected.header('Location'))
  })
}

t.test('redirects and aliases of the server are also the same after a wait', async (t) => {
  for (const [config, status] of [
    [`${PREFIXES}\nRedirect /plain.txt http://to.test/y`, 302],
    [`${PREFIXES}\nAlias /plain.txt "@ROOT@/docs/d/a.txt"`, 200],
  ] as const) {
    const expected = await (await serve(t, '', { config })).inject('/plain.txt')
    t.equal(expected.status, status)
    const server = await serve(t, '', { loopClock: busyLoop(), config: `${config}\nLimitComputingTime unlimited` })
    const answer = await server.inject('/plain.txt')
    t.equal(answer.status, expected.status)
    t.equal(answer.body, expected.body)
    t.equal(answer.header('Location'), expected.header('Location'))
  }
})

t.test('a request that takes more than LimitComputingTime is a 500, and the log names the line', async (t) => {
  for (const [lines, directive] of [
    [`${PATTERNS}\nRedirectMatch 403 ^/d/`, 'RedirectMatch'],
    [`${PREFIXES}\nRedirect gone /d`, 'Redirect'],
  ]) {
    const server = await serve(t, lines, { loopClock: busyLoop(), config: 'LimitComputingTime 0.1' })
    t.equal((await server.inject('/d/a.txt')).status, 500)
    t.match(
      server.errors().filter((line) => line.includes('LimitComputingTime')),
      [new RegExp(String.raw`/conf/httpd\.conf:\d+: ${directive}: the request was ended after 0\.1 s of computing`)],
    )
    t.match(await server.inject('/plain.txt'), { status: 200, body: 'plain' })
  }
})
