import { busyLoop, longWork, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import autoindex from '../../mod_autoindex/src/index.ts'
import authzCore from '../src/index.ts'

const DOCS = '<Directory "@ROOT@/docs">\nAllowOverride All\nOptions +Indexes\nRequire all granted\n</Directory>\n'

async function serve(t: Test, config: string, more: Partial<SiteOptions> = {}): Promise<TestServer> {
  const server = await site({
    ...more,
    modules: [authzCore, autoindex],
    config: `${DOCS}<Directory "@ROOT@/docs/d">\n${config}\n</Directory>\n${more.config ?? ''}`,
    files: { 'docs/plain.txt': 'plain', 'docs/d/a.txt': 'secret', 'docs/over/x.txt': 'x', ...more.files },
  })
  t.teardown(() => server.close())
  return server
}

const COUNT = 300
const many = (line: (n: number) => string): string => Array.from({ length: COUNT }, (_, n) => line(n)).join('\n')
const no = (n: number): string => `Require expr "%{QUERY_STRING} == 'n${n}'"`
const not = (n: number): string => `Require not expr "%{QUERY_STRING} == 'n${n}'"`

interface Row {
  readonly name: string
  readonly config: string
  readonly status: number
  readonly target?: string
}

const ROWS: readonly Row[] = [
  { name: 'none of many lines grants', config: many(no), status: 403 },
  { name: 'the last of many lines grants', config: `${many(no)}\nRequire all granted`, status: 200 },
  { name: 'one among many lines grants', config: many(no), status: 200, target: '/d/a.txt?n250' },
  { name: 'all of many lines grant', config: `<RequireAll>\n${many(not)}\nRequire all granted\n</RequireAll>`, status: 200 },
  {
    name: 'one among many negated lines refuses',
    config: `<RequireAll>\nRequire all granted\n${many(not)}\n</RequireAll>`,
    status: 403,
    target: '/d/a.txt?n250',
  },
  {
    name: 'a container with many lines refuses',
    config: `<RequireAll>\nRequire all granted\n<RequireNone>\n${many(no)}\nRequire method GET\n</RequireNone>\n</RequireAll>`,
    status: 403,
  },
  {
    name: 'many containers with one line each refuse',
    config: many((n) => `<RequireAll>\n${no(n)}\n</RequireAll>`),
    status: 403,
  },
  {
    name: 'many lines for other methods precede one that refuses',
    config: `<RequireAll>\n${many((n) => `<Limit POST>\n${no(n)}\n</Limit>`)}\n${many(not)}\nRequire all denied\n</RequireAll>`,
    status: 403,
  },
  {
    name: 'an expression inspects a file after many lines',
    config: `${many(no)}\nRequire expr "-F '@ROOT@/docs/d/a.txt'"\nRequire all granted`,
    status: 200,
  },
]

for (const { name, config, status, target = '/d/a.txt' } of ROWS) {
  t.test(`${name}: other requests are served meanwhile, and the decision is the same`, async (t) => {
    const { expected, served, answer } = await longWork((more) => serve(t, config, more), target, '/plain.txt')
    t.equal(expected.status, status)
    t.ok(served.length >= 5, `${served.length} others were served in between`)
    t.ok(served.every((each) => each === 200))
    t.equal(answer.status, expected.status)
    t.equal(answer.body, expected.body)
  })
}

t.test('a request without a decision within LimitComputingTime is a 500, and the log names the line', async (t) => {
  for (const [config, directive] of [
    [`${many(no)}\nRequire all granted`, 'Require'],
    [`${many((n) => `<RequireAll>\n${no(n)}\n</RequireAll>`)}\nRequire all granted`, '<RequireAll>'],
    [`<RequireAll>\nRequire all granted\n${many(not)}\n</RequireAll>`, 'Require'],
    [`<RequireAll>\nRequire all granted\n<RequireNone>\n${many(no)}\n</RequireNone>\n</RequireAll>`, 'Require'],
  ]) {
    const server = await serve(t, config, { loopClock: busyLoop(), config: 'LimitComputingTime 0.1' })
    const answer = await server.inject('/d/a.txt')
    t.equal(answer.status, 500)
    t.notMatch(answer.body, /secret/)
    t.match(
      server.errors().filter((line) => line.includes('LimitComputingTime')),
      [
        new RegExp(
          String.raw`\[core:error\] .*/conf/httpd\.conf:\d+: ${directive}: the request was ended after 0\.1 s of computing`,
        ),
      ],
    )
    t.match(await server.inject('/plain.txt'), { status: 200, body: 'plain' })
  }
})

t.test('a listing does not show a file about which no decision was possible', async (t) => {
  const config = `</Directory>\n<Directory "@ROOT@/docs/over">\nOptions +Indexes\n<Files "x.txt">\n${many(no)}\nRequire all granted\n</Files>`
  const shown = await (await serve(t, config)).inject('/over/')
  t.match(shown.body, /x\.txt/)
  const server = await serve(t, config, { loopClock: busyLoop(), config: 'LimitComputingTime 0.1' })
  t.notMatch((await server.inject('/over/')).body, /x\.txt/)
})

t.test('a short tree is evaluated without a wait', async (t) => {
  const server = await serve(t, 'Require all denied\nRequire all granted', {
    loopClock: busyLoop(),
    config: 'LimitComputingTime 0.1',
  })
  t.equal((await server.inject('/d/a.txt')).status, 200)
})
