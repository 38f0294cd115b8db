import t from 'tap'
import { readAccessLine, readErrorLine, urlPathOf } from '../src/index.ts'

t.test('a line is read by the format that fits it', async (t) => {
  const line = 'www.example.org:443 10.1.2.3 - al\\"ice [28/Nov/2026:10:00:00 +0000] "POST /a?b=\\"c HTTP/1.1" 403 12 "-" "x"'
  t.match(readAccessLine(line, []), {
    method: 'POST',
    target: '/a?b="c',
    host: 'www.example.org',
    port: 443,
    client: '10.1.2.3',
    user: 'al"ice',
    headers: [['user-agent', 'x']],
    status: 403,
  })
  t.match(readAccessLine('2001:db8::1 /x?y 200', ['%a %U%q %s']), null)
  t.match(readAccessLine('GET /x?y 200', ['%m %U%q %s']), { method: 'GET', target: '/x?y', status: 200, client: null })
})

t.test('a line that contains no request is not read', async (t) => {
  t.equal(readAccessLine('nonsense', []), null)
  t.equal(readAccessLine('127.0.0.1 - - [28/Nov/2026:10:00:00 +0000] "-" 408 0', []), null)
})

t.test('a line of an error log names path, client, user and meaning', async (t) => {
  const head = '[Sat Nov 28 10:00:00.000000 2026] [x:error] [pid 1:tid 1] [client 10.0.0.1:4711] '
  t.match(readErrorLine(`${head}AH01618: user bob not found: /private/, referer: http://a/`), {
    path: '/private/',
    client: '10.0.0.1',
    user: 'bob',
    referer: 'http://a/',
    meaning: /no password file/,
  })
  t.match(readErrorLine(`${head}AH01630: client denied by server configuration: /srv/www/x y`), {
    path: '/srv/www/x y',
    user: null,
  })
  t.match(readErrorLine(`${head}/srv/www/a/.htaccess: Invalid command 'Foo'`), { path: '/srv/www/a/', meaning: /mistake/ })
  t.equal(readErrorLine('[Sat Nov 28 10:00:00.000000 2026] [mpm_event:notice] [pid 1:tid 1] AH00489: configured'), null)
})

t.test('the longest document root is removed from a path', async (t) => {
  t.equal(urlPathOf('/srv/www/b/x', ['/srv/www', '/srv/www/b']), '/x')
  t.equal(urlPathOf('/srv/www', ['/srv/www']), '/')
  t.equal(urlPathOf('/srv/wwwx', ['/srv/www']), '/srv/wwwx')
})
