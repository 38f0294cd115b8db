import { isUtf8 } from 'node:buffer'
import t from 'tap'
import { COLOURS, explanationJson, explanationText, NO_COLOURS } from '../src/index.ts'
import { AUTH, PolicySite } from './support/policy-site.ts'

t.test('the answer comes first, then its reasons, then advice', async (t) => {
  const site = new PolicySite(t, {
    config: `<Directory "@ROOT@/docs">\n${AUTH}Require user bob\nRequire ip 10.0.0.0/8\n</Directory>`,
  })
  const told = await site.explain({ credentials: { user: 'alice', password: null } })
  const text = explanationText(told, { palette: NO_COLOURS, folder: site.root })
  t.matchOnlyStrict(
    text.split('\n').map((line) => line.replaceAll(site.root, 'ROOT')),
    [
      'GET /index.html from 127.0.0.1 as alice: 401 Unauthorized',
      'Require denies for the authenticated user: 401, other credentials might succeed.',
      'Answered by main server localhost, port 80: no <VirtualHost> has this address and port.',
      'WWW-Authenticate: Basic realm="Realm"',
      '',
      'The request: /index.html -> ROOT/docs/index.html, user alice',
      '  Sections, in the order in which they are merged',
      '    <Directory "ROOT/docs">  Require  conf/httpd.conf:3',
      '  Require, before authentication',
      '    ? <RequireAny>  denied (no authenticated user yet)  conf/httpd.conf:7',
      '      ? Require user bob  denied (no authenticated user yet)  conf/httpd.conf:7',
      '      - Require ip 10.0.0.0/8  denied  conf/httpd.conf:8',
      '  Require, after authentication',
      '    - <RequireAny>  denied  conf/httpd.conf:7',
      '      - Require user bob  denied  conf/httpd.conf:7',
      '      - Require ip 10.0.0.0/8  denied  conf/httpd.conf:8',
      '',
      'Error log',
      '  [authz_core:error] AH01631: user alice: authorization failure for "/index.html": ',
      '',
      'What would open it',
      '  from 10.0.0.1: 200    curl -i --anyauth -u alice http://localhost/index.html',
      '  as bob: 200    curl -i --interface 127.0.0.1 --anyauth -u bob http://localhost/index.html',
      '',
    ],
  )
  t.match(explanationText(told, { palette: COLOURS, folder: site.root }), /\u001b\[33m401 Unauthorized\u001b\[39m/)
})

t.test('of a long list the first lines and those that decided are shown', async (t) => {
  const networks = Array.from({ length: 40 }, (_, index) => `Require ip 10.${index}`)
  const site = new PolicySite(t, { config: `<Directory "@ROOT@/docs">\n${networks.join('\n')}\n</Directory>` })
  const text = explanationText(await site.explain({ client: '10.30.0.1' }), { palette: NO_COLOURS, folder: site.root })
  t.match(text, /Require ip 10\.0 .*denied[\s\S]*Require ip 10\.30 .*granted[\s\S]*\.\.\. 33 more/)
  t.notMatch(text, /Require ip 10\.20 /)
})

t.test('credentials in a header field count, and are shown nowhere', async (t) => {
  const site = new PolicySite(t, { config: `<Directory "@ROOT@/docs">\n${AUTH}Require user bob\n</Directory>` })
  const told = await site.explain({ headers: [['Authorization', `Basic ${Buffer.from('bob:bobpw').toString('base64')}`]] })
  t.equal(told.status, 200)
  const text = explanationText(told, { palette: NO_COLOURS, folder: site.root })
  t.match(text, /^GET \/index\.html from 127\.0\.0\.1 with an Authorization field: 200 OK\n/)
  t.notMatch(`${text}${explanationJson(told)}`, /Ym9iOmJvYnB3|bobpw/)
})

t.test('what rules and URLs hold does not reach the terminal, and JSON is UTF-8 whatever bytes they hold', async (t) => {
  const site = new PolicySite(t, { config: '<Directory "@ROOT@/docs">\nRequire user "\x1b[2J\xc3\xa4"\n</Directory>' })
  const told = await site.explain({ target: '/\xff\xc3\xa4' })
  const text = explanationText(told, { palette: NO_COLOURS, folder: site.root })
  t.ok(text.includes('Require user "\\x1b[2J\xc3\xa4"'), text)
  t.notOk(text.includes('\x1b'))
  const bytes = Buffer.from(explanationJson(told), 'latin1')
  t.ok(isUtf8(bytes))
  t.match(JSON.parse(bytes.toString()), { question: { target: /^\/\xff/ } })
})
