import t, { type Test } from 'tap'
import { type CheckResult, check, readExpectations } from '../../src/index.ts'
import { AUTH, PolicySite } from '../support/policy-site.ts'

const CONFIG = `<Directory "@ROOT@/docs">
AllowOverride All
</Directory>
<Directory "@ROOT@/docs/hosts">
Order deny,allow
Deny from all
Allow from 10.0.0.0/8
</Directory>
<Directory "@ROOT@/docs/users">
${AUTH}
<RequireAll>
Require ip 192.0.2.0/24
Require user alice
</RequireAll>
</Directory>
<Directory "@ROOT@/docs/any">
Order allow,deny
Require all denied
Satisfy Any
</Directory>
<Directory "@ROOT@/docs/void">
Deny from all
Satisfy Any
</Directory>
<Directory "@ROOT@/docs/bare">
${AUTH}
Require user alice
Satisfy Any
</Directory>
<Directory "@ROOT@/docs/allowed">
${AUTH}
Require user alice
Order deny,allow
Deny from all
Allow from 192.0.2
Satisfy Any
</Directory>`
const FILES = {
  'docs/hosts/f.txt': 'x',
  'docs/users/f.txt': 'x',
  'docs/any/f.txt': 'x',
  'docs/void/f.txt': 'x',
  'docs/bare/f.txt': 'x',
  'docs/allowed/f.txt': 'x',
  'docs/broken/.htaccess': 'Require all granted\nOrder sideways\n',
  'docs/broken/f.txt': 'x',
  'docs/folder/f.txt': 'x',
}

t.test('expectations that hold pass, with clients, users, statuses by class and places of redirects', async (t) => {
  const results = await run(t, [
    '/index.html -> 200',
    '/hosts/f.txt -> 403',
    '/hosts/f.txt from 10.1.2.3 -> 2xx',
    '/users/f.txt -> 401',
    '/users/f.txt as alice -> 200',
    '/users/f.txt as alice password alicepw -> 200',
    '/users/f.txt as alice password wrong -> 401',
    '/users/f.txt as nobody -> 401|403',
    '/users/f.txt from 2001:db8::1 as alice -> 403',
    '/folder -> 301 /folder/',
    '/folder -> 301 http://localhost/folder/',
    '/folder host www.example.org -> 301 http://www.example.org/folder/',
    'DELETE /index.html -> 405',
    '/none -> 404',
  ])
  t.strictSame(
    results.filter(({ passed }) => !passed),
    [],
  )
  t.equal(results.length, 14)
})

t.test('a failed expectation is reported with the deciding rule and its place', async (t) => {
  const results = await run(t, [
    '/hosts/f.txt -> 200',
    '/hosts/f.txt from 10.1.2.3 -> 403',
    '/users/f.txt as alice from 10.1.2.3 -> 200',
    '/users/f.txt -> 200',
    '/any/f.txt -> 200',
    '/void/f.txt -> 403',
    '/broken/f.txt -> 200',
    '/index.html -> 403',
    '/folder -> 301 https://localhost/folder/',
    '/folder -> 301 /elsewhere/',
  ])
  t.strictSame(
    results.map(({ actual, reason }) => [actual, reason]),
    [
      ['403 Forbidden', 'denied by Order, Allow and Deny: Deny from all (conf/httpd.conf:8)'],
      ['200 OK', 'granted by Order, Allow and Deny: Allow from 10.0.0.0/8 (conf/httpd.conf:9)'],
      ['403 Forbidden', 'denied: Require ip 192.0.2.0/24 (conf/httpd.conf:17)'],
      ['401 Unauthorized', 'not authenticated: Require user alice (conf/httpd.conf:18)'],
      ['403 Forbidden', 'denied: Require all denied (conf/httpd.conf:23)'],
      ['200 OK', 'granted by Satisfy Any, because no Require denies it, despite: Deny from all (conf/httpd.conf:27)'],
      ['500 Internal Server Error', 'answered before access control ran: docs/broken/.htaccess: unknown order'],
      ['200 OK', 'no rule applies, so access is granted'],
      ['301 Moved Permanently http://localhost/folder/', 'no rule applies, so access is granted'],
      ['301 Moved Permanently http://localhost/folder/', 'no rule applies, so access is granted'],
    ],
  )
  t.ok(results.every(({ passed }) => !passed))
})

t.test('if Satisfy Any alone grants access, it is named, and no line that does not exist', async (t) => {
  const results = await run(t, ['/bare/f.txt -> 401', '/allowed/f.txt -> 401'])
  t.match(
    results.map(({ actual, reason }) => [actual, reason]),
    [
      ['200 OK', /^granted, because no Order, Allow or Deny is combined with: Satisfy Any \(conf\/httpd\.conf:\d+\)$/],
      ['200 OK', /^granted by Allow, which is sufficient with Satisfy Any: Allow from 192\.0\.2 \(conf\/httpd\.conf:\d+\)$/],
    ],
  )
})

t.test('a redirect to another host never counts as a path of this one', async (t) => {
  const site = new PolicySite(t, {
    config: 'UseCanonicalName On\nServerName other.example\n',
    files: { 'docs/folder/f.txt': 'x' },
  })
  const server = await site.open()
  t.teardown(() => server.close())
  const { expectations } = readExpectations('f', '/folder -> 301 /folder/\n/folder host other.example -> 301 /folder/\n')
  const results = await check(server, expectations, { folder: site.root, explained: null })
  t.strictSame(
    results.map(({ passed }) => passed),
    [false, true],
  )
})

t.test('a failure is explained whole where that is wanted, and nothing else is', async (t) => {
  const site = new PolicySite(t, { config: CONFIG, files: FILES })
  const server = await site.open()
  t.teardown(() => server.close())
  const { expectations } = readExpectations('f', '/hosts/f.txt -> 200\n/hosts/f.txt -> 403\n')
  const explained = { asHttpd: () => site.open(['AccessCompatPrecedence httpd']) }
  const [failed, passed] = await check(server, expectations, { folder: site.root, explained })
  t.match(
    failed.explanation,
    /^GET \/hosts\/f\.txt from 192\.0\.2\.1 without credentials: 403 Forbidden\n[\s\S]*What would open it/,
  )
  t.equal(passed.explanation, null)
})

async function run(t: Test, lines: readonly string[]): Promise<CheckResult[]> {
  const site = new PolicySite(t, { config: CONFIG, files: FILES })
  const server = await site.open()
  t.teardown(() => server.close())
  const { expectations, mistakes } = readExpectations('f', lines.join('\n'))
  t.strictSame(mistakes, [])
  const results = await check(server, expectations, { folder: site.root, explained: null })
  return results.map((result) => ({ ...result, reason: result.reason.replaceAll(`${site.root}/`, '') }))
}
