import { busyLoop, type SiteOptions, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../modules/mod_authz_core/src/index.ts'
import env from '../modules/mod_env/src/index.ts'
import headers from '../modules/mod_headers/src/index.ts'
import rewrite from '../modules/mod_rewrite/src/index.ts'
import setenvif from '../modules/mod_setenvif/src/index.ts'

const lines = (count: number, line: string): string => `${line}\n`.repeat(count)

/** .htaccess files that keep their own requests busy; `field` and its value show that every rule was applied. */
interface Row {
  readonly name: string
  readonly htaccess: string
  readonly shows: readonly [field: string, value: string | undefined]
  /** The directive that the log names when the request costs too much. */
  readonly directive: string
  readonly sent?: Readonly<Record<string, string>>
}

const ROWS: readonly Row[] = [
  {
    name: 'rewrite rules',
    htaccess: `RewriteEngine On\n${lines(3000, 'RewriteRule ^nope(.*)$ x')}RewriteRule ^ - [CO=a:b:c.test]\n`,
    shows: ['Set-Cookie', 'a=b; path=/; domain=c.test'],
    directive: 'RewriteRule',
  },
  {
    name: 'conditions of one rule',
    htaccess: `RewriteEngine On\n${lines(3000, 'RewriteCond %{REQUEST_URI} nope [OR]')}RewriteCond %{REQUEST_URI} .\nRewriteRule ^ - [CO=a:b:c.test]\n`,
    shows: ['Set-Cookie', 'a=b; path=/; domain=c.test'],
    directive: 'RewriteRule',
  },
  {
    name: 'rounds of rules',
    htaccess: 'RewriteEngine On\nRewriteRule ^(.*)$ a.txt [N=3000]\nRewriteRule ^ - [CO=a:b:c.test]\n',
    shows: ['Set-Cookie', undefined],
    directive: 'RewriteRule',
  },
  {
    name: 'variables set by patterns',
    htaccess: `${lines(3000, 'SetEnvIf Request_URI nope q')}SetEnvIf Request_URI (.)$ last=$1\nHeader set X-Last %{last}e\n`,
    shows: ['X-Last', 't'],
    directive: 'SetEnvIf',
  },
  {
    name: 'variables set by expressions',
    htaccess: `${lines(1000, 'SetEnvIfExpr "%{REQUEST_URI} =~ /nope/" q')}SetEnvIfExpr "true" last=t\nHeader set X-Last %{last}e\n`,
    shows: ['X-Last', 't'],
    directive: 'SetEnvIfExpr',
  },
  {
    name: 'headers of the response',
    htaccess: `${lines(3000, 'Header set X-Other a')}Header set X-Last t\n`,
    shows: ['X-Last', 't'],
    directive: 'Header',
  },
  {
    name: 'headers of the request',
    htaccess: `${lines(3000, 'RequestHeader set X-Other a')}RequestHeader edit* X-Sent a b\nHeader set X-Last %{X-Sent}i\n`,
    shows: ['X-Last', '%{X-Sent}i'],
    directive: 'RequestHeader',
    sent: { 'X-Sent': 'aaa' },
  },
  {
    name: 'sections for files',
    htaccess: `${lines(1000, '<FilesMatch "^a">\nSetEnv a b\n</FilesMatch>')}Header set X-Last %{a}e\n`,
    shows: ['X-Last', 'b'],
    directive: '<FilesMatch "^a">',
  },
  {
    name: 'sections with conditions',
    htaccess: `${lines(1000, '<If "true">\nSetEnv a b\n</If>')}Header set X-Last %{a}e\n`,
    shows: ['X-Last', 'b'],
    directive: '<If "true">',
  },
]

async function serve(t: Test, htaccess: string, more: Partial<SiteOptions> = {}): Promise<TestServer> {
  const server = await site({
    ...more,
    modules: [authzCore, env, headers, rewrite, setenvif],
    config: `<Directory "@ROOT@/docs">\nAllowOverride All\nRequire all granted\n</Directory>\n${more.config ?? ''}`,
    files: { 'docs/plain.txt': 'plain', 'docs/d/a.txt': 'a', 'docs/d/.htaccess': htaccess },
  })
  t.teardown(() => server.close())
  return server
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

for (const { name, htaccess, shows, sent = {} } of ROWS) {
  t.test(`${name}: others are served while a long list is worked through, and the answer is the same`, async (t) => {
    const expected = await (await serve(t, htaccess)).inject({ target: '/d/a.txt', headers: sent })
    const server = await serve(t, htaccess, { loopClock: busyLoop(), config: 'LimitComputingTime unlimited' })
    let isOver = false
    const long = server.inject({ target: '/d/a.txt', headers: sent }).finally(() => {
      isOver = true
    })
    let served = 0
    while (!isOver) {
      t.match(await server.inject('/plain.txt'), { status: 200, body: 'plain' })
      if (!isOver) served++
      await turn()
    }
    const { status, body, header } = await long
    t.ok(served >= 5, `${served} others were served in between`)
    t.equal(status, expected.status)
    t.equal(body, expected.body)
    t.equal(header(shows[0]), expected.header(shows[0]))
  })
}

for (const { name, htaccess, directive, sent = {} } of ROWS) {
  t.test(`${name}: a request that costs more than LimitComputingTime is a 500, and the log names the line`, async (t) => {
    // In the server's configuration, whose processing is not charged to a request.
    const config = `<Directory "@ROOT@/docs/d">\n${htaccess}</Directory>\nLimitComputingTime 0.1`
    const server = await serve(t, '', { loopClock: busyLoop(), config })
    t.equal((await server.inject({ target: '/d/a.txt', headers: sent })).status, 500)
    const told = server.errors().filter((line) => line.includes('LimitComputingTime'))
    t.equal(told.length, 1)
    t.match(
      told[0],
      new RegExp(
        String.raw`\[core:error\] .*/conf/httpd\.conf:\d+: ${directive.replace(/[\^$]/g, '\\$&')}: the request was ended after 0\.1 s of computing`,
      ),
    )
    t.match(await server.inject('/plain.txt'), { status: 200, body: 'plain' })
  })
}

t.test('values that rules make too long end the request', async (t) => {
  const grow: readonly (readonly [string, RegExp])[] = [
    [
      `SetEnvIf X-A (.*) A=$1\n${lines(5, `SetEnvIfExpr "reqenv('A') =~ /(.*)/" A=$1$1$1$1$1$1$1$1$1`)}`,
      /setenvif:crit\] .*AH01505: Regular expression replacement failed for 'A', value too long\?/,
    ],
    [`SetEnvIf X-A (.*) A=$1\n${'SetEnvIf A (.*) A=$1$1$1$1$1$1$1$1$1\nSetEnvIf Request_URI . x\n'.repeat(5)}`, /AH01505/],
    [
      lines(6, 'RequestHeader edit* X-A (.) $1$1$1$1$1$1$1$1'),
      /\.htaccess:\d: RequestHeader: the value of the field is too long/,
    ],
    [lines(40, 'RequestHeader set X-A expr=%{HTTP:X-A}%{HTTP:X-A}'), /RequestHeader: the value/],
    [lines(40, 'RequestHeader append X-A expr=%{HTTP:X-A}'), /RequestHeader: the value/],
    [
      `RewriteEngine On\nRewriteRule . - [E=A:%{HTTP:X-A}]\n${lines(40, 'RewriteRule . - [E=A:%{ENV:A}%{ENV:A}]')}`,
      /\.htaccess:\d+: RewriteRule: the result of the rule is too long/,
    ],
  ]
  for (const [htaccess, told] of grow) {
    const server = await serve(t, htaccess)
    t.equal(
      (await server.inject({ target: '/d/a.txt', headers: { 'X-A': 'abcdefghij'.repeat(50) } })).status,
      500,
      htaccess.slice(0, 60),
    )
    t.ok(
      server.errors().some((line) => told.test(line)),
      String(told),
    )
  }
})

t.test(
  'a .htaccess file that takes more than LimitComputingTime to read is a 500, and the log names the line that it came to',
  async (t) => {
    const server = await serve(t, lines(3000, 'SetEnv a b'), { loopClock: busyLoop(), config: 'LimitComputingTime 0.1' })
    t.equal((await server.inject('/d/a.txt')).status, 500)
    t.match(
      server.errors().at(-1),
      /\[core:alert\] .*\/d\/\.htaccess: .*\/d\/\.htaccess:\d+: SetEnv: the request was ended after 0\.1 s of computing/,
    )
    t.equal((await server.inject('/plain.txt')).status, 200)
  },
)

t.test('a redirect to what is denied is answered by its error document once, also when all of its walks give way', async (t) => {
  const server = await site({
    modules: [authzCore, rewrite],
    config: `<Directory "@ROOT@/docs">\nAllowOverride All\nRequire all granted\n</Directory>\nErrorDocument 403 /why.txt\n${lines(300, '<Files "nope*">\nRequire all denied\n</Files>')}`,
    files: {
      'docs/.htaccess': 'RewriteEngine On\nRewriteRule ^go$ /closed/x.txt\n',
      'docs/closed/.htaccess': 'Require all denied\n',
      'docs/closed/x.txt': 'secret',
      'docs/why.txt': 'because',
    },
    loopClock: busyLoop(),
  })
  t.teardown(() => server.close())
  const answer = await server.inject('/go')
  t.equal(answer.status, 403)
  t.equal(answer.body, 'because')
})
