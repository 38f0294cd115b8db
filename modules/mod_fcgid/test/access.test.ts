import t from 'tap'
import { logged, programs, skip } from './support.ts'

const CHECKED = `<Directory @ROOT@/docs>
FcgidAccessChecker @ROOT@/wrapper
</Directory>\n`
const USERS = `<Directory @ROOT@/docs>
AuthType Basic
AuthName users
AuthBasicAuthoritative Off
FcgidAuthenticator @ROOT@/wrapper
Require valid-user
</Directory>\n`
const HEADERS = { Authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}` }

t.test('only the status 200 of an access checker admits a request', { skip }, async (t) => {
  const server = await programs(t, CHECKED)
  t.equal((await server.inject('/a.fcgi?ACCESS_CHECKER=200')).status, 200)
  for (const status of [204, 302, 401, 403, 500])
    t.equal((await server.inject(`/a.fcgi?ACCESS_CHECKER=${status}`)).status, 401, String(status))
  t.ok(await logged(server, /mod_fcgid: Access check to access \/a\.fcgi failed, reason: script returned status 403$/))
})

t.test('an access checker that does not answer is no grant', { skip }, async (t) => {
  const server = await programs(t, CHECKED.replace('wrapper', 'docs/dead'), { 'docs/dead': '#!/bin/sh\nexit 1\n' }).catch(
    () => null,
  )
  if (server === null) throw new Error('it does not start')
  t.equal((await server.inject('/a.fcgi')).status, 503)
})

t.test('a refusal that does not count leaves the decision to others', { skip }, async (t) => {
  const server = await programs(t, CHECKED.replace('</D', 'FcgidAccessCheckerAuthoritative Off\n</D'))
  t.equal((await server.inject('/a.fcgi?ACCESS_CHECKER=403')).status, 200)
})

t.test('an authenticator gets name and password, and its variables are for programs only', { skip }, async (t) => {
  const server = await programs(t, USERS)
  const unknown = await server.inject('/a.fcgi?show=1')
  t.same([unknown.status, unknown.header('www-authenticate')], [401, 'Basic realm="users"'])
  const granted = await server.inject({ target: '/a.fcgi?show=1', headers: HEADERS })
  t.match(granted, { status: 200, body: /\nREMOTE_USER=ann\n/ })
  t.match(granted.body, /\nSeen=AUTHENTICATOR\n/)
  t.equal(granted.header('variable-seen'), undefined)
  t.match(granted.header('x-authenticator') ?? '', /^REMOTE_PASSWD=secret,REMOTE_USER=ann,/)
  const denied = await server.inject({ target: '/a.fcgi?AUTHENTICATOR=401', headers: HEADERS })
  t.same([denied.status, denied.header('www-authenticate')], [401, 'Basic realm="users"'])
})
