import { busyLoop, longWork, site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import authzCore from '../../mod_authz_core/src/index.ts'
import rewrite from '../src/index.ts'

const COUNT = 30
const CONDITION = 'RewriteCond %{REQUEST_URI}%{QUERY_STRING} ^/d/.*(a|b)$'
const RULES = `RewriteEngine On\n${`${CONDITION}\nRewriteRule ^(.*)$ - [E=a:%1]\n`.repeat(COUNT)}${CONDITION}\nRewriteRule ^ - [CO=a:%1:c.test]\n`

async function serve(t: Test, config: string, loopClock?: ReturnType<typeof busyLoop>): Promise<TestServer> {
  const server = await site({
    modules: [authzCore, rewrite],
    config: `<Directory "@ROOT@/docs">\nRequire all granted\n</Directory>\n<Directory "@ROOT@/docs/d">\nOptions FollowSymLinks\n${RULES}</Directory>\n${config}`,
    files: { 'docs/plain.txt': 'plain', 'docs/d/a.txt': 'a' },
    loopClock,
  })
  t.teardown(() => server.close())
  return server
}

t.test('other requests are served after each condition that inspects a long text, and the answer is the same', async (t) => {
  const target = `/d/a.txt?${'ab'.repeat(2000)}`
  const { expected, served, answer } = await longWork((more) => serve(t, more.config ?? '', more.loopClock), target, '/plain.txt')
  t.match(expected, { status: 200, body: 'a' })
  t.equal(expected.header('Set-Cookie'), 'a=b; path=/; domain=c.test')
  // The first check of the clock only starts the measurement.
  t.ok(served.length >= COUNT - 2, `${served.length} others were served in between`)
  t.ok(served.every((each) => each === 200))
  t.equal(answer.status, expected.status)
  t.equal(answer.body, expected.body)
  t.equal(answer.header('Set-Cookie'), expected.header('Set-Cookie'))
})

t.test('conditions that inspect long texts for longer than LimitComputingTime end the request', async (t) => {
  const server = await serve(t, 'LimitComputingTime 0.3', busyLoop())
  t.equal((await server.inject(`/d/a.txt?${'ab'.repeat(2000)}`)).status, 500)
  t.match(
    server.errors().filter((line) => line.includes('LimitComputingTime')),
    [/\[core:error\] .*\/conf\/httpd\.conf:\d+: RewriteRule: the request was ended after 0\.3 s of computing/],
  )
  t.match(await server.inject('/plain.txt'), { status: 200, body: 'plain' })
})
