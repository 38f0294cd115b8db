import { join } from 'node:path'
import t from 'tap'
import { gatewright } from './fixtures/gatewright.ts'

t.test('decisions that change are shown as text, data and Markdown, gravest first', async (t) => {
  const root = t.testdir({
    old: { a: { '.htaccess': 'Require all denied\n' }, b: { '.htaccess': 'Require all granted\n' } },
    new: { a: { '.htaccess': 'Require ip 10.0.0.0/8\n' }, b: { '.htaccess': 'Require ip 10.0.0.0/8\n' } },
  })
  const [old, now] = [join(root, 'old'), join(root, 'new')]
  const text = await gatewright(['diff', old, now])
  t.equal(text.status, 1, text.stderr)
  t.match(
    text.stdout,
    /^Now open\n {2}\/a\/\S+: 403 -> 404 from 10\..*\n {4}before: .*old\/a\/\.htaccess:1\)\n {4}after: .*new\/a\/\.htaccess:1\)\n/,
  )
  t.ok(text.stdout.indexOf('Now open') < text.stdout.indexOf('Now refused'))
  const data: { readonly changes: readonly { readonly kind: string }[] } = JSON.parse(
    (await gatewright(['diff', '--format', 'json', old, now])).stdout,
  )
  t.strictSame(
    data.changes.map(({ kind }) => kind),
    ['opened', 'closed'],
  )
  const markdown = await gatewright(['diff', '--format=markdown', old, now])
  t.match(markdown.stdout, /^### Now open \(1\)\n\n\| Request \|/)
})

t.test('a change that changes no decision has status 0', async (t) => {
  const root = t.testdir({
    old: { '.htaccess': 'Order deny,allow\nDeny from all\nAllow from 10\n' },
    new: { '.htaccess': 'Require ip 10\n' },
  })
  const same = await gatewright(['diff', join(root, 'old'), join(root, 'new')])
  t.match(same, { status: 0, stdout: /^No decision changes: \d+ classes/ }, same.stderr)
})

t.test('what cannot be compared ends with status 2', async (t) => {
  const root = t.testdir({ tree: {}, 'a.conf': 'ServerName a\n' })
  t.match(await gatewright(['diff', join(root, 'tree'), join(root, 'a.conf')]), {
    status: 2,
    stderr: /two configurations, or two folders/,
  })
  t.match(await gatewright(['diff', '--format', 'xml', 'a', 'b']), { status: 2, stderr: /text, json, markdown, not xml/ })
})

t.test('a table shows who gets an answer', async (t) => {
  const root = t.testdir({ 'x.html': 'x', '.htaccess': 'Require ip 10.0.0.0/8\n' })
  const who = await gatewright(['who', '--tree', root, '--color', 'never', '/x.html'])
  t.match(
    who,
    { status: 0, stdout: /^GET \/x\.html\n +this machine \(127\.0\.0\.1\) {2}10\.0\.0\.1 .*\nwithout credentials {2}403 +200 / },
    who.stderr,
  )
})

t.test('a line of a log takes the place of a URL', async (t) => {
  const root = t.testdir({ 'x.html': 'x', '.htaccess': 'Require ip 10.0.0.0/8\n' })
  const line = '10.1.2.3 - - [28/Nov/2026:10:00:00 +0000] "GET /x.html HTTP/1.1" 403 12'
  const explained = await gatewright(['explain', '--tree', root, '--color', 'never', '--log', line])
  t.match(explained, { status: 0, stdout: /^GET \/x\.html from 10\.1\.2\.3 without credentials: 200 OK\n/ }, explained.stderr)
  t.match(explained.stdout, /Note: the log has status 403, and the answer now is 200/)
  const error = `[Sat Nov 28 10:00:00.000000 2026] [authz_core:error] [pid 1:tid 1] [client 127.0.0.5:4] AH01630: client denied by server configuration: ${root}/x.html`
  const denied = await gatewright(['explain', '--tree', root, '--color', 'never', '--error', error])
  t.match(denied, { status: 0, stdout: /^GET \/x\.html from 127\.0\.0\.5 without credentials: 403 Forbidden\n/ }, denied.stderr)
  t.match(denied.stdout, /Note: the message means: no rule grants this client access/)
  t.match(await gatewright(['explain', '--tree', root, '--log', 'nonsense']), { status: 1, stderr: /no LogFormat/ })
})
