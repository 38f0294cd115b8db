import { site, type TestServer } from '@gatewright/testing'
import t, { type Test } from 'tap'
import headers from '../../mod_headers/src/index.ts'
import authzCore from '../src/index.ts'

async function serve(t: Test, config: string): Promise<TestServer> {
  const server = await site({
    modules: [authzCore, headers],
    config: `<Directory "@ROOT@/docs">\nRequire all granted\n${config}\n</Directory>`,
    files: { 'docs/a.txt': 'a', 'docs/sub/s.txt': 's', 'docs/secret.txt': 'secret' },
  })
  t.teardown(() => server.close())
  return server
}

/** Denies if it applies, which the condition itself decides. */
const CIRCLE = `<If "-z %{QUERY_STRING}">
<If "-U '/none'">
Require all denied
</If>
<Else>
Header set X-Else yes
</Else>
</If>`

t.test(
  'a request that an inner If looks up has the decision and the outer sections of the request that looks it up',
  async (t) => {
    const server = await serve(t, CIRCLE)
    t.equal((await server.inject('/a.txt')).status, 403)
    t.equal((await server.inject('/a.txt?x')).status, 200)
  },
)

t.test('a request that is looked up with other sections has a decision of its own', async (t) => {
  const server = await serve(
    t,
    `${CIRCLE}
</Directory>
<Directory "@ROOT@/docs/sub">
<If "-z %{QUERY_STRING}">
<If "-U '/a.txt'">
Header set X-U yes
</If>
<Else>
Header set X-U no
</Else>
</If>`,
  )
  const answer = await server.inject('/sub/s.txt')
  t.equal(answer.status, 200)
  t.equal(answer.header('X-Else'), 'yes')
  t.equal(answer.header('X-U'), 'no')
})

t.test('a file that an If looks up does not get a new decision in each lookup within', async (t) => {
  const server = await serve(
    t,
    `<If "-F '@ROOT@/docs/secret.txt'">
</If>
</Directory>
<Location "/?*t.txt">
Require all denied
</Location>
<Directory "@ROOT@/docs/sub">`,
  )
  t.equal((await server.inject('/secret.txt')).status, 403)
  const denied = server.errors().filter((line) => line.includes('AH01630'))
  t.equal(denied.length, 6)
})
